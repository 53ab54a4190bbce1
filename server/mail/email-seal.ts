import { createSeal } from "../secrets/seal.ts";
import { deriveKeys, sign, type Secrets } from "../secrets/secrets.ts";
import { emailKey } from "./email-key.ts";
import type { EmailContent } from "./email.ts";

/**
 * Creates the seal for queued emails. Each email is encrypted. Its row also has a hash of its member's address, made
 * with a key that is not in the database.
 */
export function createEmailSeal(secrets: Secrets) {
  const seal = createSeal(secrets, "mail queue");
  const keys = deriveKeys(secrets, "mail recipients");

  const close = (id: string, email: EmailContent) => ({
    payload: seal.seal(id, JSON.stringify(email)),
    recipient: sign(keys[0], emailKey(email.of ?? email.to)),
  });
  /** Opens an email. Returns undefined if its secret is gone: nobody can read it any more. */
  function open(id: string, sealed: Buffer): EmailContent | undefined {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal shows that the outbox wrote it
      return JSON.parse(seal.open(id, sealed)) as EmailContent;
    } catch {
      return undefined;
    }
  }

  return {
    close,
    open,
    /**
     * Returns the hashes that an address's emails may have, so that they can be found without opening every email.
     */
    listRecipientHashes: (address: string) => keys.map((key) => sign(key, emailKey(address))),
    /** Returns the index of the secret that sealed an email, 0 for the first. Undefined if nobody can read it. */
    whose: seal.whose,
    /** Returns the email sealed with the current secret, or undefined if nobody can read it. */
    renew(id: string, sealed: Buffer) {
      const email = open(id, sealed);
      return email && close(id, email);
    },
  };
}
