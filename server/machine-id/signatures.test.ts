import * as fc from "fast-check";
import { bytesToHex, hexToBytes, type Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import {
  createAccount,
  seedChainMember,
  signAsWallet,
  type ChainMember,
} from "../../tests/support/chain/chain-member.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { chainJobs, rateLimits } from "../db/schema.ts";
import * as contract from "./contract.ts";

/*
 * A thousand signatures that are not what was asked for, at both endpoints. None is accepted, and none causes an error.
 */

const database = await createTestDatabase();
afterAll(() => database.close());

const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const EACH = 500;

let ada: ChainMember;
let bob: ChainMember;
beforeAll(async () => {
  ada = await seedChainMember(api.deps);
  bob = await seedChainMember(api.deps);
});

type Forgery = (signature: Hex) => string;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Returns the other signature that the curve accepts for the same message. */
function flip(signature: Hex): Hex {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${signature.endsWith("1b") ? "1c" : "1b"}` as Hex;
}

const forgery: fc.Arbitrary<Forgery> = fc.oneof(
  fc.tuple(fc.nat(64), fc.integer({ min: 1, max: 255 })).map(
    ([at, by]): Forgery =>
      (signature) =>
        bytesToHex(hexToBytes(signature).map((byte, index) => (index === at ? byte ^ by : byte))),
  ),
  fc.nat(131).map(
    (length): Forgery =>
      (signature) =>
        signature.slice(0, length) || "0x",
  ),
  fc.uint8Array({ minLength: 1, maxLength: 80 }).map(
    (more): Forgery =>
      (signature) =>
        signature + bytesToHex(more).slice(2),
  ),
  fc.uint8Array({ minLength: 65, maxLength: 65 }).map(
    (bytes): Forgery =>
      () =>
        bytesToHex(bytes),
  ),
  fc.string({ minLength: 1, maxLength: 200 }).map(
    (words): Forgery =>
      () =>
        words,
  ),
  fc.constantFrom<Forgery>(
    flip,
    (signature) => `${signature.slice(0, 130)}${signature.endsWith("1b") ? "00" : "01"}`,
    (signature) => signature.replace("0x", ""),
    (signature) => signature.replace("0x", "0X"),
    () => `0x${"0".repeat(130)}`,
    () => `0x${"f".repeat(130)}`,
  ),
);

/** Typed data that is almost what was served. */
type Served = contract.DeployTypedData | contract.ExecuteTypedData;
const elsewhere = fc.constantFrom<(served: Served) => Served>(
  (served) => ({ ...served, domain: { ...served.domain, chainId: 1 } }),
  (served) => ({ ...served, domain: { ...served.domain, chainId: 11155111 } }),
  (served) => ({ ...served, domain: { ...served.domain, version: "2" } }),
  (served) => ({ ...served, domain: { ...served.domain, name: "MachineStation" } }),
  (served) => ({ ...served, domain: { ...served.domain, verifyingContract: `0x${"1".repeat(40)}` } }),
  (served) => ({ ...served, message: { ...served.message, nonce: `${BigInt(served.message.nonce) + 1n}` } }) as Served,
);

function refused(status: number) {
  expect([400, 409, 410, 422]).toContain(status);
}
/** Calls without the rate limit, as if the member had waited: there are more tries than a member may make. */
async function call(...asked: Parameters<typeof api.call>) {
  await api.deps.db.delete(rateLimits);
  return api.call(...asked);
}
const countJobs = () => api.deps.db.$count(chainJobs);

test("no forged, truncated, cross-session, cross-domain, cross-chain or expired consent opens an account", async () => {
  const { typedData } = await api.read(contract.readSmartAccountConsent, { token: ada.token });
  const good = await signAsWallet(ada.wallet, typedData);
  const send = (signature: string, { token = ada.token, ...message } = {}) =>
    call(contract.createSmartAccount, { token, body: { ...typedData.message, ...message, signature } });

  await fc.assert(
    fc.asyncProperty(forgery, async (forge) => refused((await send(forge(good))).status)),
    { numRuns: EACH },
  );
  await fc.assert(
    fc.asyncProperty(elsewhere, async (move) =>
      refused((await send(await signAsWallet(ada.wallet, move(typedData)))).status),
    ),
    { numRuns: 30 },
  );
  refused((await send(good, { token: bob.token })).status);
  refused((await send(await signAsWallet(bob.wallet, typedData))).status);
  refused((await send(good, { machineOwner: bob.wallet.address.toLowerCase() } as object)).status);
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), async (nonce) =>
      refused((await send(good, { nonce: String(nonce) } as object)).status),
    ),
    { numRuns: 50 },
  );
  expect(await countJobs()).toBe(0);

  expect((await send(good)).status).toBe(200);
  expect((await send(good)).status).toBe(409);
  expect(await countJobs()).toBe(1);
});

test("no forged or misplaced signature creates a Machine ID, nor does the right one a second time", async () => {
  await createAccount(api, bob);
  await api.deps.chain.advance();
  const { data } = await api.read(contract.requestMachineId, { token: ada.token });
  const typedData = contract.ExecuteTypedData.parse(data.typedData);
  const good = await signAsWallet(ada.wallet, typedData);
  const send = (machineOwnerSignature: string, token = ada.token) =>
    call(contract.updateMachineIdSignature, { token, body: { machineOwnerSignature } });

  await fc.assert(
    fc.asyncProperty(forgery, async (forge) => refused((await send(forge(good))).status)),
    { numRuns: EACH },
  );
  await fc.assert(
    fc.asyncProperty(elsewhere, async (move) =>
      refused((await send(await signAsWallet(ada.wallet, move(typedData)))).status),
    ),
    { numRuns: 30 },
  );
  await api.read(contract.requestMachineId, { token: bob.token });
  refused((await send(good, bob.token)).status);
  refused((await send(await signAsWallet(bob.wallet, typedData))).status);
  expect(await countJobs()).toBe(2);

  expect((await send(good)).status).toBe(200);
  expect((await send(good)).status).toBe(409);
  expect(await countJobs()).toBe(3);
});
