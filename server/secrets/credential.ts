import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";

/** Tells the kinds apart at a glance, in code and to secret scanners. */
const PREFIX = {
  session: "nbs_",
  device: "nbd_",
  /** Held by whoever asked for an account, or for a new password, until the mail has arrived. */
  signUp: "nbu_",
  reset: "nbr_",
  /** In a mailed link. */
  verifyLink: "nbv_",
  resetLink: "nbl_",
  silenceLink: "nbm_",
  campaignLink: "nbk_",
  /** Of the session that can only set a password. */
  recovery: "nbc_",
  /** Held by a member until the code for another address has arrived. */
  campaignEmail: "nbe_",
} as const;
export type CredentialKind = keyof typeof PREFIX;
type LinkKind = "verifyLink" | "resetLink" | "silenceLink" | "campaignLink";

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
  KINDS.find((kind) => token.startsWith(PREFIX[kind]));

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
const KINDS = Object.keys(PREFIX) as CredentialKind[];

export type KeyedCredentials = ReturnType<typeof createKeyedCredentials>;

/** Credentials that take the installation's secret, for what goes out by mail. */
export function createKeyedCredentials(secret: string) {
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "nodebeat mailed credentials", 32)));
  const sign = (content: string) => createHmac("sha256", key).update(content).digest();
  return {
    /** The token of a mailed link: the same whenever it is asked for, so that it can be mailed again unkept. */
    createLink(kind: LinkKind, id: string) {
      const token = PREFIX[kind] + sign(`${kind} ${id}`).toString("base64url");
      return { token, hash: hashCredential(token) };
    },
    /** Of a code that belongs to a sign-up. Without the key a million tries would find the code. */
    hashCode: (id: string, code: string) => sign(`code ${id} ${code}`),
    /** Of a mailbox whose member has left: all that is known of it, and only with the key. */
    hashMailbox: (mailboxKey: string) => sign(`mailbox ${mailboxKey}`),
  };
}
