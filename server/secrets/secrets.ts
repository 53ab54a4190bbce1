import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from "node:crypto";

/**
 * The secrets of the installation. The first one signs and encrypts. Anything made with any of them is accepted, so
 * that secrets can be rotated while several processes run.
 */
export type Secrets = readonly [string, ...string[]];

/** One key per secret, in the same order. */
export type Keys = readonly [KeyObject, ...KeyObject[]];

/** Derives keys for one purpose. What is made for one purpose is worthless for another. */
export const deriveKeys = ([first, ...others]: Secrets, purpose: string): Keys => [
  deriveKey(first, purpose),
  ...others.map((secret) => deriveKey(secret, purpose)),
];

const deriveKey = (secret: string, purpose: string) =>
  createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `nodebeat ${purpose}`, 32)));

export const sign = (key: KeyObject, content: string): Buffer => createHmac("sha256", key).update(content).digest();

/** Whether any of the keys produces the given value. */
export const isMadeByAny = (keys: readonly KeyObject[], given: Buffer, make: (key: KeyObject) => Buffer): boolean =>
  keys.some((key) => {
    const made = make(key);
    return made.length === given.length && timingSafeEqual(made, given);
  });
