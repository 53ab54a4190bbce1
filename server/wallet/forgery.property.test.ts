import * as fc from "fast-check";
import { bytesToHex, hexToBytes, type Hex } from "viem";
import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, NO_CLIENT, seedMember } from "../../tests/support/api/api.ts";
import { newWallet } from "../../tests/support/chain/new-wallet.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import type { Endpoint } from "../http/contract.ts";
import { readUser } from "../profile/contract.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { startSession } from "../sessions/service.ts";
import { changeWallet, linkWallet, readWalletMessage, type WalletPurpose } from "./contract.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const env = { publicUrl: "https://nodebeat.example" };
const api = createTestApi(database, { now: clock.now, env });
const elsewhere = createTestApi(database, { now: clock.now, env: { publicUrl: "https://phishing.example" } });
afterAll(() => database.close());

const wallet = newWallet();
const other = newWallet();
const member = await seedMember(api.deps);
const neighbour = await seedMember(api.deps);
const { token: otherSession } = await startSession(api.deps, { userId: member.user.id, client: NO_CLIENT });
const linked = await seedMember(api.deps);
const spent = await sign({ token: linked.token, by: other });
await api.read(linkWallet, { token: linked.token, body: spent });

type Signing = { token?: string; by?: typeof wallet; from?: typeof api; purpose?: WalletPurpose };
type Proof = { address: string; message: string; signature: string };

async function sign({ token = member.token, by = wallet, from = api, purpose = "link" }: Signing = {}): Promise<Proof> {
  const { message } = await from.read(readWalletMessage, { token, query: { address: by.address, purpose } });
  return { address: by.address, message, signature: await by.signMessage({ message }) };
}

/** Signs a message that was changed first. */
async function signChanged(change: (message: string) => string): Promise<Proof> {
  const message = change((await sign()).message);
  return { address: wallet.address, message, signature: await wallet.signMessage({ message }) };
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Returns the other signature that the same key has for the same text. */
function mirror(signature: string): string {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  return signature.slice(0, 66) + s.toString(16).padStart(64, "0") + (signature.endsWith("1b") ? "1c" : "1b");
}

function flip(signature: string, at: number, by: number): string {
  const bytes = hexToBytes(signature as Hex);
  const place = at % bytes.length;
  bytes[place] = (bytes[place] ?? 0) ^ by;
  return bytesToHex(bytes);
}

const place = fc.nat({ max: 10_000 });
const withSignature = (change: (signature: string) => string) => async () => {
  const proof = await sign();
  return { ...proof, signature: change(proof.signature) };
};

/** Ways to get something that looks like a proof. */
const forgery: fc.Arbitrary<() => Promise<Proof>> = fc.oneof(
  fc.constant(async () => spent),
  fc.constant(() => sign({ token: otherSession })),
  fc.constant(() => sign({ token: neighbour.token })),
  fc.constant(() => sign({ from: elsewhere })),
  fc.constant(() => sign({ purpose: "change" })),
  fc.constant(async () => ({ ...(await sign()), address: other.address })),
  fc.constant(async () => ({ ...(await sign({ by: other })), address: wallet.address })),
  fc.constant(async () => ({ ...(await sign()), signature: (await sign({ by: other })).signature })),
  fc
    .constantFrom(1, 11_155_111, 33_380)
    .map((id) => () => signChanged((text) => text.replace(/ID: 3338/, `ID: ${id}`))),
  fc.domain().map((domain) => () => signChanged((text) => text.replaceAll("nodebeat.example", domain))),
  // A nonce is spent by its exact letters. With one more it would be another nonce, which nobody has spent.
  fc.constantFrom("$&0", "$&00").map((nonce) => () => signChanged((text) => text.replace(/(Nonce: )\w+/, nonce))),
  fc.constant(() => signChanged((text) => text.replace("Nonce: ", "Nonce: 0"))),
  fc.constant(() => signChanged((text) => text.replace(/Expiration Time: \d+/, "Expiration Time: 2099"))),
  fc.constant(() => signChanged((text) => text.replace(/This permanently.*/, "Hello."))),
  fc.constant(() => signChanged((text) => `${text}\nResources:\n- https://phishing.example`)),
  fc.constant(async () => {
    const proof = await sign();
    clock.advance(5 * 60_000);
    return proof;
  }),
  place.map((at) => () => signChanged((text) => text.slice(0, at % text.length))),
  fc.tuple(place, fc.string({ minLength: 1, maxLength: 3 })).map(
    ([at, added]) =>
      () =>
        signChanged((text) => text.slice(0, at % text.length) + added + text.slice(at % text.length)),
  ),
  place.map((length) => withSignature((signature) => signature.slice(0, length % signature.length))),
  fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, by]) => withSignature((each) => flip(each, at, by))),
  fc.constant(withSignature(mirror)),
  fc.constant(withSignature((signature) => `${signature}00`)),
  fc.string({ maxLength: 4200 }).map((signature) => withSignature(() => signature)),
  fc.string({ maxLength: 4200 }).map((message) => async () => ({ ...(await sign()), message })),
);

test("rejects each of 1,000 forged proofs of a wallet, without a server error", async () => {
  await fc.assert(
    fc.asyncProperty(forgery, async (forge) => {
      // Give back what the limit of attempts took.
      clock.advance(10_000);
      const body = await forge();
      const { status } = await api.call(linkWallet, { token: member.token, body });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 1000 },
  );
  expect((await api.read(readUser, { token: member.token })).wallet).toBeNull();
  // A valid proof works in the same way.
  expect(await api.call(linkWallet, { token: member.token, body: await sign() })).toMatchObject({ status: 200 });
});

test.each(["http://127.0.0.1:3000", "https://[2001:db8::1]", "https://node_beat.example"])(
  "accepts a genuine proof if the public address is %s",
  async (publicUrl) => {
    const from = createTestApi(database, { now: clock.now, env: { publicUrl } });
    const { token } = await seedMember(from.deps);
    const body = await sign({ token, by: newWallet(), from });
    expect(await from.call(linkWallet, { token, body })).toMatchObject({ status: 200 });
  },
);

test("refuses the signature or the message of another wallet with a reason, on the field if there is one", async () => {
  const { token } = neighbour;
  const [body, others] = [await sign({ token }), await sign({ token, by: other })];
  const signature = "The signature is not from this wallet. Please start again.";
  expect(await api.call(linkWallet, { token, body: { ...body, signature: others.signature } })).toMatchObject({
    status: 400,
    body: { error: "VALIDATION_ERROR", message: signature, fields: { signature: [signature] } },
  });
  const message = "The signed message is not the one for this wallet. Please start again.";
  expect(await api.call(linkWallet, { token, body: { ...body, message: others.message } })).toMatchObject({
    status: 400,
    body: { error: "VALIDATION_ERROR", message },
  });
});

test("a member's attempts to link or change a wallet share one limit, which no other member shares", async () => {
  const [mallory, ada] = [await seedMember(api.deps), await seedMember(api.deps)];
  const body = { address: other.address, message: "none of ours", signature: "0x" };
  const attempt = async (endpoint: Endpoint, { token }: { token: string }) =>
    (await api.call(endpoint, { token, body })).status;
  for (let index = 0; index < LIMITS.walletByAccount.burst; index += 2) {
    expect([await attempt(linkWallet, mallory), await attempt(changeWallet, mallory)]).toEqual([400, 400]);
  }
  expect([await attempt(linkWallet, mallory), await attempt(changeWallet, mallory)]).toEqual([429, 429]);
  expect(await attempt(linkWallet, ada)).toBe(400);
});
