import { randomUUID } from "node:crypto";
import { encodeFunctionData, keccak256, recoverMessageAddress, toHex, type Address, type Hex } from "viem";
import type { HDAccount } from "viem/accounts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../../tests/support/api/api.ts";
import { accountAt } from "../../../tests/support/chain/anvil.ts";
import { beginJob } from "../../../tests/support/chain/leased-job.ts";
import { runDue } from "../../../tests/support/api/jobs.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { backgroundJobs, ledgerAccounts, ledgerAttributes, webhookEvents } from "../../db/schema.ts";
import { AppError } from "../../errors.ts";
import { enqueue } from "../../jobs/queries.ts";
import { identityAbi } from "../abi.ts";
import type { Job } from "../chain-gateway.ts";
import { FILL_NONCE } from "../left-nonces.ts";
import { describeDeploy, describeExecute, IDENTITY_PRECOMPILE, type TypedData } from "../contract.ts";
import { digestOf } from "../typed-data.ts";
import { createChainWork } from "../worker.ts";
import { createEmbeddedChain } from "./embedded-chain.ts";
import { workOnLedger } from "./ledger.ts";

/* The ledger itself refuses what contracts refuse, whatever earlier checks let through. */

const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock();
const chain = createEmbeddedChain({ db, log: createTestApi(database).deps.log, now: clock.now, secrets: ["a secret"] });
const api = createTestApi(database, { now: clock.now, chain });
beforeEach(() => database.reset());
afterAll(() => database.close());

const [OWNER, OTHER] = [accountAt(4), accountAt(5)];
const domains = await chain.describeDomains();
const NAME = toHex("did:peaq:machine");
const VALUE = toHex("the document");

const sign = (signer: HDAccount, typedData: TypedData) => signer.signTypedData(typedData);

/** Begins a job with a number that no other job has. */
const begin = (left: Partial<Job>) =>
  beginJob(api.deps, { stationNonce: BigInt(keccak256(toHex(randomUUID()))).toString(), ...left });

/** Does a job at once, and returns what is left of it. */
async function perform(left: Partial<Job>): Promise<Job> {
  const job = await begin(left);
  expect(await job.work()).toBeUndefined();
  return job.read();
}

const signDeploy = async ({ signer = OWNER, nonce = "1", domain = {} } = {}): Promise<Partial<Job>> => {
  const typedData = describeDeploy({ ...domains.factory, ...domain }, { machineOwner: OWNER.address, nonce });
  return { consentNonce: nonce, consentSignature: await sign(signer, typedData) };
};

async function deploy(): Promise<Address> {
  const { machineAddress } = await perform(await signDeploy());
  return machineAddress as Address;
}

const describeCall = (machine: Address, functionName: "addAttribute" | "updateAttribute" = "addAttribute") =>
  encodeFunctionData({ abi: identityAbi, functionName, args: [machine, NAME, VALUE, 0] });

type Execution = {
  machine: Address;
  calldata?: Hex;
  target?: Address;
  signer?: HDAccount;
  domain?: object;
  nonce?: string;
};

async function signExecute({ machine, nonce = "1", ...parts }: Execution): Promise<Partial<Job>> {
  const { calldata = describeCall(machine), domain = {}, signer = OWNER, target = IDENTITY_PRECOMPILE } = parts;
  const account = { ...(await domains.account(machine)), ...domain };
  const consentSignature = await sign(signer, describeExecute(account, { target, data: calldata, nonce }));
  return { kind: "execute", consentNonce: nonce, consentSignature, machineAddress: machine, target, calldata };
}

const countAccounts = () => db.$count(ledgerAccounts);
const countRecords = () => db.$count(ledgerAttributes);
const refusal = (errorName: string) => ({
  state: "failed",
  errorName,
  failedAt: clock.now(),
  completedAt: null,
  txHash: null,
});

test("the owner's consent creates an account in one step, with hashes that are not those of a chain", async () => {
  const { id, ...job } = await perform(await signDeploy());
  const at = clock.now();
  const hashes = { txHash: `embedded:${id}`, blockHash: `embedded:${id}` };
  expect(job).toMatchObject({
    state: "finalized",
    completedAt: at,
    sentAt: at,
    failedAt: null,
    errorName: null,
    ...hashes,
  });
  const [account] = await db.select().from(ledgerAccounts);
  const owner = OWNER.address.toLowerCase();
  const factory = domains.factory.verifyingContract;
  expect(account).toEqual({ address: job.machineAddress, factory, owner, nonce: "1", createdAt: at });
});

test.each([
  ["of somebody else", { signer: OTHER }],
  ["for another version", { domain: { version: "2" } }],
  ["for another chain", { domain: { chainId: 1 } }],
  ["for another factory", { domain: { verifyingContract: OTHER.address } }],
])("a consent %s creates no account", async (_, forged) => {
  expect(await perform(await signDeploy(forged))).toMatchObject(refusal("InvalidOwnerSignature"));
  expect(await countAccounts()).toBe(0);
});

test("a consent with another nonce, or without a signature, creates no account", async () => {
  const consent = await signDeploy();
  expect(await perform({ ...consent, consentNonce: "2" })).toMatchObject(refusal("InvalidOwnerSignature"));
  expect(await perform({ consentSignature: "" })).toMatchObject(refusal("InvalidOwnerSignature"));
  expect(await countAccounts()).toBe(0);
});

test("a nonce creates only one account of an owner, and another nonce another account", async () => {
  const job = await begin(await signDeploy());
  await job.work();
  const first = await job.read();
  // Its member has left, and somebody with the same wallet submits the same consent.
  await job.remove();
  expect(await perform(await signDeploy())).toMatchObject({ ...refusal("NonceAlreadyUsed"), machineAddress: null });
  const second = await perform(await signDeploy({ nonce: "2" }));
  expect(second.machineAddress).toMatch(/^0x[0-9a-f]{40}$/);
  expect(second.machineAddress).not.toBe(first.machineAddress);
  expect(await countAccounts()).toBe(2);
});

test("the address of an owner's account and the station's key never change for the same secret", async () => {
  expect(await deploy()).toBe("0x08a3d5654f4478ed7d61b2e9f54dadf71421437c");
  expect(chain.station.admin).toBe("0x9AD9d90A50eb6A9f1c122d0B9a9A15b5873dAd88");
  const signature = await chain.attest("words");
  expect(await recoverMessageAddress({ message: "words", signature })).toBe(chain.station.admin);
});

test("a record that the owner signed is stored, once per name", async () => {
  const machine = await deploy();
  expect(await chain.readIdentity(machine, NAME)).toBeUndefined();
  expect(await perform(await signExecute({ machine }))).toMatchObject({ state: "finalized", errorName: null });
  expect(await chain.readIdentity(machine, NAME)).toEqual({ name: NAME, value: VALUE });
  expect(await chain.readIdentity(machine.toUpperCase().replace("0X", "0x") as Address, NAME)).toBeDefined();
  expect(await chain.readIdentity(machine, toHex("another"))).toBeUndefined();
  expect(await chain.readIdentity(OTHER.address, NAME)).toBeUndefined();
  expect(await perform(await signExecute({ machine, nonce: "2" }))).toMatchObject(refusal("TargetCallFailed"));
  expect(await countRecords()).toBe(1);
});

/** Signs a call, and then replaces a part of it. */
const altered = (change: Partial<Job>) => async (machine: Address) => ({
  ...(await signExecute({ machine })),
  ...change,
});

test.each<[string, string, (machine: Address) => Promise<Partial<Job>>]>([
  ["somebody else's signature", "InvalidMachineOwnerSignature", (machine) => signExecute({ machine, signer: OTHER })],
  [
    "a signature for another account",
    "InvalidMachineOwnerSignature",
    (machine) => signExecute({ machine, domain: { verifyingContract: OTHER.address } }),
  ],
  [
    "a signature for the factory",
    "InvalidMachineOwnerSignature",
    (machine) => signExecute({ machine, domain: domains.factory }),
  ],
  [
    "a signature of another record",
    "InvalidMachineOwnerSignature",
    async (machine) => ({ ...(await signExecute({ machine })), calldata: describeCall(machine, "updateAttribute") }),
  ],
  ["a signature for another contract", "InvalidMachineOwnerSignature", altered({ target: OTHER.address })],
  ["no account", "ZeroAddress", altered({ machineAddress: null })],
  ["no contract", "ZeroAddress", altered({ target: null })],
  ["no call", "ZeroAddress", altered({ calldata: null })],
  ["a call that is none", "ZeroAddress", altered({ calldata: "words" })],
  ["another contract", "TargetCallFailed", (machine) => signExecute({ machine, target: OTHER.address })],
  [
    "another function",
    "TargetCallFailed",
    (machine) => signExecute({ machine, calldata: describeCall(machine, "updateAttribute") }),
  ],
  [
    "another's record",
    "TargetCallFailed",
    (machine) => signExecute({ machine, calldata: describeCall(OTHER.address) }),
  ],
])("stores no record, and announces no Machine ID, with %s: %s", async (_, errorName, make) => {
  expect(await perform(await make(await deploy()))).toMatchObject(refusal(errorName));
  expect([await countRecords(), await db.$count(webhookEvents)]).toEqual([0, 0]);
});

test.each([new Error("no domain"), new AppError("UNAVAILABLE", "no domain")])(
  "a signature that could not be checked is retried, not taken for a wrong one: %s",
  async (failure) => {
    const job = await begin(await signExecute({ machine: await deploy() }));
    const broken = { ...domains, account: () => Promise.reject(failure) };
    await expect(workOnLedger({ db, now: clock.now }, broken, job.lease)).rejects.toThrow("no domain");
    expect(await job.read()).toMatchObject({ state: "queued", errorName: null });
    await job.work();
    expect(await job.read()).toMatchObject({ state: "finalized" });
  },
);

test("a completed or failed job is not run again", async () => {
  const done = await begin(await signDeploy());
  await done.work();
  const failed = await begin({ ...(await signDeploy({ nonce: "2" })), state: "failed" });
  const before = [await done.read(), await failed.read()];
  clock.advance(1_000);
  expect([await done.work(), await failed.work()]).toEqual([undefined, undefined]);
  expect([await done.read(), await failed.read()]).toEqual(before);
  expect(await countAccounts()).toBe(1);
});

test.each(["signed", "sent", "mined", "completed"] as const)(
  "does not run a job that was started on the network: %s",
  async (state) => {
    const job = await begin({ ...(await signDeploy()), state });
    const before = await job.read();
    await expect(job.work()).rejects.toThrow("the CHAIN_ settings are missing");
    expect(await job.read()).toEqual(before);
    expect(await countAccounts()).toBe(0);
  },
);

test.each<[string, () => Promise<Partial<Job>>]>([
  [
    "an account of the network's factory",
    async () => {
      const factory = { ...domains.factory, verifyingContract: OTHER.address };
      const asked = describeDeploy(factory, { machineOwner: OWNER.address, nonce: "1" });
      return { consentNonce: "1", consentSignature: await sign(OWNER, asked), consentDigest: digestOf(asked) };
    },
  ],
  ["a record of an account on the network", () => signExecute({ machine: OTHER.address })],
])("leaves a queued job alone that is for %s", async (_, make) => {
  const job = await begin(await make());
  const before = await job.read();
  await expect(job.work()).rejects.toThrow("a job is for the network, and the CHAIN_ settings are missing");
  expect(await job.read()).toEqual(before);
  expect([await countAccounts(), await countRecords()]).toEqual([0, 0]);
});

test("a nonce that a deleted account left on the network waits until the chain is configured", async () => {
  const job = { kind: FILL_NONCE, key: `${OWNER.address} 7` };
  await enqueue(db, { ...job, dueAt: clock.now() });
  expect(await runDue(api.deps, createChainWork(chain))).toEqual(["failed"]);
  const lastError = "a nonce was given out on the network, and the CHAIN_ settings are missing";
  expect(await db.select().from(backgroundJobs)).toMatchObject([{ ...job, lastError, deadAt: null }]);
});

test("the ledger is always ready, with the network's contract names but no code or explorer links", async () => {
  const common = { version: "1", chainId: 3338 };
  const verifyingContract = "0x6e6f6465626561742d656d6265646465642d3031";
  expect(domains.factory).toEqual({ name: "MachineStationFactory", ...common, verifyingContract });
  const account = { name: "MachineSmartAccount", ...common, verifyingContract: OTHER.address };
  expect(await domains.account(OTHER.address)).toEqual(account);
  expect([chain.mode, chain.isReady(), await chain.check()]).toEqual(["embedded", true, { ok: true }]);
  expect(await chain.hasCode(OWNER.address)).toBe(false);
  expect(chain.explorerUrl("embedded:1")).toBeNull();
});
