import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts what waits in the database: JSON, which may end in spaces. Bound to an id, so that one row's content is no other row's. */
export type Seal = {
  seal: (id: string, content: string) => Buffer;
  /** Throws for what was changed, moved to another id, or sealed with another secret. */
  open: (id: string, sealed: Buffer) => string;
};

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Contents are filled up to a multiple of this, so that neither size nor time tells which letter it is. */
const BLOCK_BYTES = 4096;
const FILLER = " ";

/** `purpose`: what is sealed for one opens for no other. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `nodebeat ${purpose}`, 32)));
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
      const iv = sealed.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(id))
        .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
