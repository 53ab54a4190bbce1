import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";
import { deriveKeys, type Secrets } from "./secrets.ts";

/**
 * Encrypts content that waits in the database. The content is JSON, which may end in spaces. It is bound to an id, so
 * that one row's content cannot pass for another row's.
 */
export type Seal = {
  seal: (id: string, content: string) => Buffer;
  /** Throws if the content was changed, belongs to another id, or was sealed with none of the secrets. */
  open: (id: string, sealed: Buffer) => string;
  /** Which of the secrets sealed it, counted from 0. Undefined if none opens it. */
  whose: (id: string, sealed: Buffer) => number | undefined;
};

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Content is padded to a multiple of this, so that neither size nor timing reveals which email it is. */
const BLOCK_BYTES = 4096;
const FILLER = " ";

/** Creates a seal for one purpose. Nothing sealed for another purpose opens with it. */
export function createSeal(secrets: Secrets, purpose: string): Seal {
  const keys = deriveKeys(secrets, purpose);
  const [key] = keys;
  return {
    seal(id, content) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(id));
      const size = Math.ceil(Buffer.byteLength(content) / BLOCK_BYTES) * BLOCK_BYTES;
      const filled = content + FILLER.repeat(size - Buffer.byteLength(content));
      const encrypted = Buffer.concat([cipher.update(filled, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
    },
    open(id, sealed) {
      for (const [index, key] of keys.entries()) {
        try {
          return decrypt(key, id, sealed);
        } catch (error) {
          if (index === keys.length - 1) throw error;
        }
      }
      throw new Error("There is no secret to open it with");
    },
    whose(id, sealed) {
      const index = keys.findIndex((key) => isOpenedBy(key, id, sealed));
      return index === -1 ? undefined : index;
    },
  };
}

function decrypt(key: KeyObject, id: string, sealed: Buffer): string {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(id))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

function isOpenedBy(key: KeyObject, id: string, sealed: Buffer): boolean {
  try {
    decrypt(key, id, sealed);
    return true;
  } catch {
    return false;
  }
}
