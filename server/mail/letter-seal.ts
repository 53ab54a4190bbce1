import { createSeal } from "../secrets/seal.ts";
import { deriveKeys, sign, type Secrets } from "../secrets/secrets.ts";
import { emailKey } from "./email-key.ts";
import type { Letter } from "./letter.ts";

/**
 * Creates the seal for queued letters. Each letter is encrypted. Its row also has a hash of its member's address, made
 * with a key that is not in the database.
 */
export function createLetterSeal(secrets: Secrets) {
  const seal = createSeal(secrets, "mail queue");
  const keys = deriveKeys(secrets, "mail recipients");

  const close = (id: string, letter: Letter) => ({
    payload: seal.seal(id, JSON.stringify(letter)),
    recipient: sign(keys[0], emailKey(letter.of ?? letter.to)),
  });
  /** Opens a letter. Returns undefined if its secret is gone: nobody can read it any more. */
  function open(id: string, sealed: Buffer): Letter | undefined {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal shows that the outbox wrote it
      return JSON.parse(seal.open(id, sealed)) as Letter;
    } catch {
      return undefined;
    }
  }

  return {
    close,
    open,
    /**
     * Returns the hashes that an address's letters may have, so that they can be found without opening every letter.
     */
    listRecipientHashes: (address: string) => keys.map((key) => sign(key, emailKey(address))),
    /** Returns the index of the secret that sealed a letter, 0 for the first. Undefined if nobody can read it. */
    whose: seal.whose,
    /** Returns the letter sealed with the current secret, or undefined if nobody can read it. */
    renew(id: string, sealed: Buffer) {
      const letter = open(id, sealed);
      return letter && close(id, letter);
    },
  };
}
