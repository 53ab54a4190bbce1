import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { AppError } from "../errors.ts";
import type { WebhookHeaders } from "./contract.ts";

/** How many seconds a message may be old, or ahead of our clock. */
const TOLERANCE = 5 * 60;

const PREFIX = "whsec_";

/**
 * Returns the key of a secret: `whsec_` and 24 to 64 bytes in base64, as receivers get it. Undefined for anything else.
 */
export function readWebhookKey(secret: string): Buffer | undefined {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(encoded ?? "", "base64");
  return key.length >= 24 && key.length <= 64 && `${PREFIX}${key.toString("base64")}` === secret ? key : undefined;
}

/** Creates a secret of 256 random bits for a receiver. */
export const createWebhookSecret = (): string => PREFIX + randomBytes(32).toString("base64");

type Message = { headers: WebhookHeaders; text: string };

/** Returns the headers of a message, with one signature for each key. */
export function signMessage(
  keys: readonly Buffer[],
  { id, text }: { id: string; text: string },
  now: Date,
): WebhookHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = keys.map((key) => `v1,${sign(key, id, timestamp, text).toString("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/**
 * Throws BAD_SIGNATURE unless one of the keys signed exactly this message, within the last five minutes. While a secret
 * is being replaced, either side may have two keys.
 */
export function verifyMessage(keys: readonly Buffer[], { headers, text }: Message, now: Date): void {
  const timestamp = headers["webhook-timestamp"];
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE) refuse("The message is not from the last five minutes.");
  const given = headers["webhook-signature"].split(" ").flatMap(readSignature);
  const expected = keys.map((key) => sign(key, headers["webhook-id"], timestamp, text));
  const isSigned = given.some((one) =>
    expected.some((other) => one.length === other.length && timingSafeEqual(one, other)),
  );
  if (!isSigned) refuse("The signature does not match the message.");
}

/** Signs a message's id, its time in seconds and its body together, so that none of them can be swapped. */
export const sign = (key: Buffer, id: string, timestamp: string, text: string): Buffer =>
  createHmac("sha256", key).update(`${id}.${timestamp}.${text}`).digest();

/** Ignores signatures of other versions, which may come with ours. */
function readSignature(signature: string): Buffer[] {
  const [version, encoded] = signature.split(",", 2);
  return version === "v1" && encoded ? [Buffer.from(encoded, "base64")] : [];
}

function refuse(message: string): never {
  throw new AppError("BAD_SIGNATURE", message);
}
