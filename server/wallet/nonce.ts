import { createHmac, randomBytes, type KeyObject } from "node:crypto";
import { deriveKeys, isMadeByAny, type Secrets } from "../secrets/secrets.ts";
import { MESSAGE_LIFETIME_SECONDS, type WalletPurpose } from "./contract.ts";

/** What a nonce is valid for, and nothing else. */
export type NonceScope = { userId: string; sessionId: string; address: string; purpose: WalletPurpose; origin: string };

export type WalletNonces = ReturnType<typeof createWalletNonces>;

/**
 * `<expiry in ms, 12 hex digits><12 random bytes><16 bytes of HMAC-SHA256>`: EIP-4361 allows only letters and digits.
 */
const NONCE = /^([0-9a-f]{12}[0-9a-f]{24})([0-9a-f]{32})$/;
const RANDOM_BYTES = 12;
const MAC_BYTES = 16;

/**
 * Creates and reads the nonces of messages to sign. A nonce is not stored until it is spent: it carries its expiry, and
 * a MAC over that and its scope. So issuing one writes nothing, and all processes of an installation recognise it by
 * the `secrets` that they share.
 */
export function createWalletNonces(secrets: Secrets) {
  const keys = deriveKeys(secrets, "wallet nonces");

  return {
    issue(scope: NonceScope, now: Date) {
      const expiresAt = new Date(now.getTime() + MESSAGE_LIFETIME_SECONDS * 1000);
      const end = expiresAt.getTime().toString(16).padStart(12, "0");
      const content = end + randomBytes(RANDOM_BYTES).toString("hex");
      return { nonce: content + sign(keys[0], scope, content).toString("hex"), expiresAt };
    },
    /** Returns when a nonce of this scope expires, even if that is past. Returns undefined if it is not one of ours. */
    read(scope: NonceScope, nonce: string) {
      const [, content = "", mac = ""] = NONCE.exec(nonce) ?? [];
      if (!content || !isMadeByAny(keys, Buffer.from(mac, "hex"), (key) => sign(key, scope, content))) return undefined;
      return new Date(Number.parseInt(content.slice(0, 12), 16));
    },
  };
}

const sign = (key: KeyObject, { userId, sessionId, address, purpose, origin }: NonceScope, content: string) =>
  createHmac("sha256", key)
    .update(JSON.stringify([userId, sessionId, address.toLowerCase(), purpose, origin, content]))
    .digest()
    .subarray(0, MAC_BYTES);
