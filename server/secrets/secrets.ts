import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from "node:crypto";

/**
 * The secrets of the installation. What is made is made with the first; what was made with any of them is read, so that
 * one can take another's place while several processes run.
 */
export type Secrets = readonly [string, ...string[]];

/** One for each secret, in their order. */
export type Keys = readonly [KeyObject, ...KeyObject[]];

/** Keys for one purpose: what is made for one is worth nothing for another. */
export const deriveKeys = ([first, ...others]: Secrets, purpose: string): Keys => [
  deriveKey(first, purpose),
  ...others.map((secret) => deriveKey(secret, purpose)),
];

const deriveKey = (secret: string, purpose: string) =>
  createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `nodebeat ${purpose}`, 32)));

export const sign = (key: KeyObject, content: string): Buffer => createHmac("sha256", key).update(content).digest();

/** Whether one of the keys makes what was given. */
export const isMadeByAny = (keys: readonly KeyObject[], given: Buffer, make: (key: KeyObject) => Buffer): boolean =>
  keys.some((key) => {
    const made = make(key);
    return made.length === given.length && timingSafeEqual(made, given);
  });
