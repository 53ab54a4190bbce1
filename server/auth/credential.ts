import { createHash, randomBytes } from "node:crypto";

/** Tells the kinds apart at a glance, in code and to secret scanners. */
const PREFIX = { session: "nbs_", device: "nbd_" } as const;
export type CredentialKind = keyof typeof PREFIX;

const RANDOM_BYTES = 32;

/** A new bearer credential of 256 random bits: `token` is shown to its owner once, only `hash` is kept. */
export function createCredential(kind: CredentialKind): { token: string; hash: Buffer } {
  const token = PREFIX[kind] + randomBytes(RANDOM_BYTES).toString("base64url");
  return { token, hash: hashCredential(token) };
}

/** SHA-256 is enough for what has 256 random bits: there is nothing to guess. */
export const hashCredential = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Which kind a credential says it is; undefined for anything else. */
export const kindOfCredential = (token: string): CredentialKind | undefined =>
  token.startsWith(PREFIX.session) ? "session" : token.startsWith(PREFIX.device) ? "device" : undefined;
