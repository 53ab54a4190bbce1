import { createHash, createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { createSeal, type Seal } from "./seal.ts";
import { deriveKeys, isMadeByAny, sign, type Secrets } from "./secrets.ts";

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

/** The key that a former secret came to, sealed with the present one: for what has no end. */
export type FormerKey = { id: string; sealed: Buffer };

/** Credentials that take the installation's secret, for what goes out by mail. */
export function createKeyedCredentials(secrets: Secrets) {
  const keys = deriveKeys(secrets, "mailed credentials");
  const [key, ...others] = keys;
  const seal = createSeal(secrets, "former keys");
  return {
    /** The token of a mailed link: the same whenever it is asked for, so that it can be mailed again unkept. */
    createLink: (kind: LinkKind, id: string) => linkOf(key, kind, id),
    /** The same link once more, known by its hash, also where a former secret made it; else a new one. */
    repeatLink(kind: LinkKind, id: string, hash: Buffer) {
      const links = keys.map((key) => linkOf(key, kind, id));
      return links.find((link) => link.hash.equals(hash)) ?? linkOf(key, kind, id);
    },
    /** Whether a link is this one, by any of the secrets or by keys of former ones. */
    isLink: (kind: LinkKind, id: string, token: string, former: readonly KeyObject[] = []) =>
      isMadeByAny([...keys, ...former], hashCredential(token), (key) => linkOf(key, kind, id).hash),
    /** Of a code that belongs to a sign-up. Without the key a million tries would find the code. */
    hashCode: (id: string, code: string) => sign(key, `code ${id} ${code}`),
    isCode: (id: string, code: string, hash: Buffer) =>
      isMadeByAny(keys, hash, (key) => sign(key, `code ${id} ${code}`)),
    /** Of a mailbox whose member has left: all that is known of it, and only with the key. */
    hashMailbox: (mailboxKey: string) => mailboxOf(key, mailboxKey),
    /** All hashes that a mailbox may be kept under. */
    listMailboxHashes: (mailboxKey: string, former: readonly KeyObject[]) =>
      [...keys, ...former].map((key) => mailboxOf(key, mailboxKey)),
    /** What the secrets after the first came to, to be kept when these are gone. */
    sealFormerKeys: (): FormerKey[] => others.map((key) => sealKey(seal, key)),
    /** A key that was kept; undefined where no secret is here that it was sealed with. */
    openFormerKey: (kept: FormerKey) => openKey(seal, kept),
    /** The same, sealed with the present secret; undefined for one that is, or that nobody can read. */
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
