import { createSeal } from "../secrets/seal.ts";
import { deriveKeys, sign, type Secrets } from "../secrets/secrets.ts";
import { emailKey } from "./email-key.ts";
import type { Letter } from "./letter.ts";

/**
 * How letters wait: encrypted, and beside each whose it is: their address as a hash with a key that is not in the
 * database.
 */
export function createLetterSeal(secrets: Secrets) {
  const seal = createSeal(secrets, "mail queue");
  const keys = deriveKeys(secrets, "mail recipients");

  const close = (id: string, letter: Letter) => ({
    payload: seal.seal(id, JSON.stringify(letter)),
    recipient: sign(keys[0], emailKey(letter.of ?? letter.to)),
  });
  /** Undefined for a letter whose secret is gone: nobody can read it any more. */
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
    /** The hashes that letters of an address may have: by these they are found without opening all of them. */
    listRecipientHashes: (address: string) => keys.map((key) => sign(key, emailKey(address))),
    /** Which secret a letter was sealed with, the first being 0; undefined for one that nobody can read. */
    whose: seal.whose,
    /** The same letter as it is sealed with the present secret; undefined for one that nobody can read. */
    renew(id: string, sealed: Buffer) {
      const letter = open(id, sealed);
      return letter && close(id, letter);
    },
  };
}
