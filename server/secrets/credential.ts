import { createHash, createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { createSeal, type Seal } from "./seal.ts";
import { deriveKeys, isMadeByAny, sign, type Secrets } from "./secrets.ts";

/** Makes the kinds easy to tell apart, in code and for secret scanners. */
const PREFIX = {
  session: "nbs_",
  device: "nbd_",
  /** Held by a visitor who asked for an account or a new password, until the email arrives. */
  signUp: "nbu_",
  reset: "nbr_",
  /** In a mailed link. */
  verifyLink: "nbv_",
  resetLink: "nbl_",
  silenceLink: "nbm_",
  campaignLink: "nbk_",
  /** For the session that can only set a password. */
  recovery: "nbc_",
  /** Held by a member until the code for another address arrives. */
  campaignEmail: "nbe_",
} as const;
export type CredentialKind = keyof typeof PREFIX;
type LinkKind = "verifyLink" | "resetLink" | "silenceLink" | "campaignLink";

const RANDOM_BYTES = 32;

/** Creates a bearer credential of 256 random bits. `token` is shown to its owner once, and only `hash` is stored. */
export function createCredential(kind: CredentialKind): { token: string; hash: Buffer } {
  const token = PREFIX[kind] + randomBytes(RANDOM_BYTES).toString("base64url");
  return { token, hash: hashCredential(token) };
}

/** Hashes with SHA-256, which is enough for 256 random bits: they cannot be guessed. */
export const hashCredential = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Returns the kind that a credential claims to be, or undefined for anything else. */
export const kindOfCredential = (token: string): CredentialKind | undefined =>
  KINDS.find((kind) => token.startsWith(PREFIX[kind]));

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
const KINDS = Object.keys(PREFIX) as CredentialKind[];

export type KeyedCredentials = ReturnType<typeof createKeyedCredentials>;

/** A key derived from a former secret, sealed with the current one, for data that never expires. */
export type FormerKey = { id: string; sealed: Buffer };

/** Creates credentials that depend on the installation's secret, for what is sent by email. */
export function createKeyedCredentials(secrets: Secrets) {
  const keys = deriveKeys(secrets, "mailed credentials");
  const [key, ...others] = keys;
  const seal = createSeal(secrets, "former keys");
  return {
    /** The token of a mailed link. The same every time, so that it can be mailed again without being stored. */
    createLink: (kind: LinkKind, id: string) => linkOf(key, kind, id),
    /** The link that has this hash, whichever of the secrets made it. A new one if none did. */
    repeatLink(kind: LinkKind, id: string, hash: Buffer) {
      const links = keys.map((key) => linkOf(key, kind, id));
      return links.find((link) => link.hash.equals(hash)) ?? linkOf(key, kind, id);
    },
    /** Whether a token is this link, made with any of the secrets or with the key of a former one. */
    isLink: (kind: LinkKind, id: string, token: string, former: readonly KeyObject[] = []) =>
      isMadeByAny([...keys, ...former], hashCredential(token), (key) => linkOf(key, kind, id).hash),
    /**
     * Hashes a mailed code together with the id it belongs to. Without the key, a million tries would find the code.
     */
    hashCode: (id: string, code: string) => sign(key, `code ${id} ${code}`),
    isCode: (id: string, code: string, hash: Buffer) =>
      isMadeByAny(keys, hash, (key) => sign(key, `code ${id} ${code}`)),
    /**
     * Hashes the mailbox of a deleted account, or of a former address. Only the hash is stored, and it tells nothing
     * without the key.
     */
    hashMailbox: (mailboxKey: string) => mailboxOf(key, mailboxKey),
    /** All hashes under which a mailbox may have been stored. */
    listMailboxHashes: (mailboxKey: string, former: readonly KeyObject[]) =>
      [...keys, ...former].map((key) => mailboxOf(key, mailboxKey)),
    /** The keys of all secrets but the first, to keep when those secrets are gone. */
    sealFormerKeys: (): FormerKey[] => others.map((key) => sealKey(seal, key)),
    /** Opens a stored key, or returns undefined if it was sealed with none of the secrets. */
    openFormerKey: (kept: FormerKey) => openKey(seal, kept),
    /** Seals a stored key with the current secret. Undefined if it already is, or if it cannot be opened. */
    renewFormerKey(kept: FormerKey): FormerKey | undefined {
      const key = seal.whose(kept.id, kept.sealed) ? openKey(seal, kept) : undefined;
      return key && sealKey(seal, key);
    },
  };
}

function linkOf(key: KeyObject, kind: LinkKind, id: string) {
  const token = PREFIX[kind] + sign(key, `${kind} ${id}`).toString("base64url");
  return { token, hash: hashCredential(token) };
}

const mailboxOf = (key: KeyObject, mailboxKey: string) => sign(key, `mailbox ${mailboxKey}`);

function openKey({ open, whose }: Seal, { id, sealed }: FormerKey): KeyObject | undefined {
  if (whose(id, sealed) === undefined) return undefined;
  return createSecretKey(Buffer.from(open(id, sealed).trim(), "base64url"));
}

function sealKey({ seal }: Seal, key: KeyObject): FormerKey {
  const content = key.export();
  const id = createHash("sha256").update("former key ").update(content).digest("base64url");
  return { id, sealed: seal(id, content.toString("base64url")) };
}
