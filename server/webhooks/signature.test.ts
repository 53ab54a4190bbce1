import { expect, test } from "vitest";
import { readWebhookKey, verifyMessage } from "./signature.ts";

/** The example from the specification's own libraries. */
const EXAMPLE = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  text: '{"test": 2432232314}',
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
};
const AT = 1_614_265_330_000;

const key = readWebhookKey(EXAMPLE.secret) ?? Buffer.alloc(0);
const verify = (headers: Partial<typeof EXAMPLE.headers>, { at = AT, keys = [key], text = EXAMPLE.text } = {}) =>
  verifyMessage(keys, { headers: { ...EXAMPLE.headers, ...headers }, text }, new Date(at));

test("accepts the specification's own example", () => {
  expect(() => verify({})).not.toThrow();
});

test("one matching pair of several signatures and several keys is enough, in any order", () => {
  const other = Buffer.alloc(32, 1);
  const mine = EXAMPLE.headers["webhook-signature"];
  for (const signatures of [`v1,AAAA ${mine}`, `${mine} v1,AAAA`, `v1a,x v2,${mine.slice(3)} ${mine}`]) {
    for (const keys of [
      [key, other],
      [other, key],
    ]) {
      expect(() => verify({ "webhook-signature": signatures }, { keys })).not.toThrow();
    }
  }
});

test.each([
  ["another key", {}, { keys: [Buffer.alloc(32, 1)] }],
  ["another body", {}, { text: '{"test":2432232314}' }],
  ["another id", { "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJe" }, {}],
  ["another time", { "webhook-timestamp": "1614265331" }, {}],
  ["its id and time swapped", { "webhook-id": "1614265330", "webhook-timestamp": "1614265330" }, {}],
  ["another version", { "webhook-signature": "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" }, {}],
  ["half a signature", { "webhook-signature": "v1,g0hM9SsE+OTPJTGt" }, {}],
  ["no signature", { "webhook-signature": "v1," }, {}],
])("rejects a message with %s", (_, headers, options) => {
  expect(() => verify(headers, options)).toThrow("The signature does not match the message.");
});

test.each([
  ["old", AT + 300_001],
  ["early", AT - 300_001],
])("rejects a message that is too %s, and accepts it within five minutes", (_, at) => {
  expect(() => verify({}, { at })).toThrow("The message is not from the last five minutes.");
  expect(() => verify({}, { at: at - Math.sign(at - AT) })).not.toThrow();
});

test.each(["soon", "-1614265330", "1614265330.5", "1e9", " "])("rejects the timestamp %j", (timestamp) => {
  expect(() => verify({ "webhook-timestamp": timestamp })).toThrow("The message is not from the last five minutes.");
});

test.each([
  ["without its prefix", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  ["too short", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa=="],
  ["too long", `whsec_${Buffer.alloc(65).toString("base64")}`],
  ["not base64", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La-_aSw"],
])("reads no key from a secret that is %s", (_, secret) => {
  expect(readWebhookKey(secret)).toBeUndefined();
});
