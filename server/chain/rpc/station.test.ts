import { encodeFunctionResult, parseAbi, recoverMessageAddress, type Hex } from "viem";
import { afterAll, beforeEach, expect, test } from "vitest";
import { accountAt } from "../../../tests/support/chain/anvil.ts";
import {
  domainOf,
  FACTORY,
  fails,
  internalError,
  MACHINE,
  NodeError,
  reverts,
  startScriptedNode,
} from "../../../tests/support/chain/scripted-node.ts";
import { createScriptedStation, NAME, OWNER, VALUE } from "../../../tests/support/chain/scripted-station.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { FILL_NONCE } from "../left-nonces.ts";
import { CHAIN } from "../submit.ts";
import { createChainWork } from "../worker.ts";
import { connect, TIMING } from "./station.ts";

/* What members wait for: the connections to the nodes, and what is read through them. */

const database = await createTestDatabase();
const node = await startScriptedNode();
const other = await startScriptedNode();
const open = (options: Parameters<typeof createScriptedStation>[2] = {}) =>
  createScriptedStation(database, node, options);

beforeEach(async () => {
  node.reset();
  other.reset();
  await database.reset();
});
afterAll(async () => {
  await node.stop();
  await other.stop();
  await database.close();
});

const DESIGNATOR = `ef0100${"aB".repeat(20)}`;

test.each([
  ["nothing", "0x", false],
  ["nothing, in the words of some nodes", null, false],
  ["code", "0x6080", true],
  ["what a key lends itself", `0x${DESIGNATOR}`, false],
  ["code that begins like that", `0x${DESIGNATOR}00`, true],
  ["code that ends like that", `0x00${DESIGNATOR}`, true],
])("an address with %s (%s) is a contract: %s", async (_, code, isContract) => {
  const { chain } = open();
  node.answers.eth_getCode = () => code;
  expect(await chain.hasCode(OWNER)).toBe(isContract);
  expect(node.listRequests("eth_getCode")).toEqual([[OWNER, "latest"]]);
});

const record = { name: NAME, value: VALUE, validity: 0, created: 1n };

test.each([
  ["a record", record, { name: NAME, value: VALUE }],
  ["an empty record", { ...record, value: "0x" }, undefined],
  ["a refusal", reverts(), undefined],
  ["nothing", "0x", undefined],
])("reads an identity for which the register returns %s", async (_, said, read) => {
  const { chain } = open();
  node.contracts.readAttribute = () => said;
  expect(await chain.readIdentity(MACHINE, NAME)).toEqual(read);
});

test("a member's request fails as UNAVAILABLE, without a retry, if the nodes fail", async () => {
  const { chain } = open();
  const { account } = await chain.describeDomains();
  node.asked.length = 0;
  node.answers.eth_getCode = fails;
  node.answers.eth_call = fails;
  const unavailable = { code: "UNAVAILABLE", cause: expect.any(Error) };
  await expect(chain.hasCode(OWNER)).rejects.toMatchObject(unavailable);
  await expect(chain.readIdentity(MACHINE, NAME)).rejects.toMatchObject(unavailable);
  await expect(account(MACHINE)).rejects.toMatchObject(unavailable);
  expect(node.asked).toHaveLength(3);
});

test("a node's internal error is not reported as a missing identity", async () => {
  const { chain } = open();
  node.contracts.readAttribute = () => internalError();
  await expect(chain.readIdentity(MACHINE, NAME)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("if the first node fails, the second is asked, each once and in order", async () => {
  const { chain } = open({ rpcUrls: [other.url, node.url] });
  other.answers.eth_getCode = fails;
  node.answers.eth_getCode = () => "0x6080";
  expect(await chain.hasCode(OWNER)).toBe(true);
  node.answers.eth_getCode = () => new NodeError("busy");
  await expect(chain.hasCode(OWNER)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect([other.asked.length, node.asked.length]).toEqual([2, 2]);
});

test("background work retries a failing node as often as configured", async () => {
  const { begin, chain } = open({ timing: { requestRetries: 1 } });
  await chain.check();
  const job = await begin();
  node.answers.eth_estimateGas = fails;
  await expect(job.work()).rejects.toThrow("the chain could not be asked");
  expect(node.listRequests("eth_estimateGas")).toHaveLength(2);
});

test("a job ends before its lease expires, even if one of the nodes never answers", async () => {
  const { begin, chain } = open({ rpcUrls: [other.url, node.url], timing: TIMING });
  await chain.check();
  const job = await begin();
  // If it never answered, each of these requests would take the whole limit, and still end before the lease.
  for (const method of Object.keys(other.answers)) other.answers[method] = fails;
  other.asked.length = 0;
  await job.work();
  expect(await job.read()).toMatchObject({ state: "sent" });
  expect(other.asked.length * TIMING.requestLimit).toBeLessThan(createChainWork(chain)[CHAIN].lease);
});

test("a turn ends before its lease, however long the nodes do not answer", async () => {
  const timing = { turn: 10, requestLimit: 1_000 };
  const { begin, chain } = open({ rpcUrls: [other.url, node.url], timing });
  await chain.check();
  const job = await begin();
  for (const method of Object.keys(other.answers)) other.answers[method] = () => new Promise(() => {});
  node.asked.length = 0;
  await expect(job.work()).rejects.toThrow("the chain could not be asked (queued)");
  const left = { ...job.lease, kind: FILL_NONCE, key: `${accountAt(2).address} 5`, payload: null, attempts: 1 };
  const { fill } = chain;
  await expect(fill(left)).rejects.toThrow("the chain could not be asked (fill-nonce)");
  expect(node.asked).toEqual([]);
  expect(await job.read()).toMatchObject({ state: "queued" });
  for (const { lease } of Object.values(createChainWork(chain))) expect(TIMING.turn).toBeLessThan(lease);
});

test("gives up on a node that never answers", async () => {
  const { chain } = open({ timing: { memberLimit: 1 } });
  node.answers.eth_getCode = () => new Promise(() => {});
  await expect(chain.hasCode(OWNER)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("all accounts have the domain that the first one reports, each with its own contract", async () => {
  const { chain } = open();
  node.contracts.eip712Domain = () => domainOf({});
  const { account } = await chain.describeDomains();
  node.contracts.eip712Domain = () => domainOf({ name: "MachineSmartAccount", version: "2", contract: MACHINE });
  node.asked.length = 0;
  const domain = { name: "MachineSmartAccount", version: "2", chainId: 3338 };
  expect(await account(MACHINE)).toEqual({ ...domain, verifyingContract: MACHINE });
  expect(await account(FACTORY)).toEqual({ ...domain, verifyingContract: FACTORY });
  expect(await (await chain.describeDomains()).account(OWNER)).toEqual({ ...domain, verifyingContract: OWNER });
  expect(node.asked).toMatchObject([{ method: "eth_call", params: [{ to: MACHINE }, "latest"] }]);
});

test.each([
  ["another name", { name: "MachineStationFactory" }],
  ["a version that nobody knows", { version: "3" }],
  ["another chain", { chainId: 1n }],
  ["another contract", { contract: FACTORY }],
])("the domain of an account is not known while a node reports %s", async (_, lie) => {
  const { chain } = open();
  const { account } = await chain.describeDomains();
  const domain = { name: "MachineSmartAccount", version: "2", contract: MACHINE };
  node.contracts.eip712Domain = () => domainOf({ ...domain, ...lie });
  await expect(account(MACHINE)).rejects.toMatchObject({ code: "UNAVAILABLE", cause: expect.any(Error) });
  node.contracts.eip712Domain = () => domainOf(domain);
  expect(await account(MACHINE)).toMatchObject({ version: "2", verifyingContract: MACHINE });
});

test("the station signs with the admin's key, and its transactions have a link to the explorer", async () => {
  const { chain } = open();
  const signature = await chain.attest("words");
  expect(chain.station.admin).toBe(accountAt(1).address);
  expect(await recoverMessageAddress({ message: "words", signature })).toBe(chain.station.admin);
  const hash = `0x${"12".repeat(32)}`;
  expect(chain.explorerUrl(hash)).toBe(`https://peaq.subscan.io/tx/${hash}`);
  // A job that the embedded ledger did, before there was a network.
  expect(chain.explorerUrl("embedded:1")).toBeNull();
});

const CONFIG = { timeout: 10_000, retryCount: 0 };
const MANY_CALLS = "0xca11bde05977b3631167028862be2a173976ca11";
const OWNED = parseAbi(["function owner() view returns (address)"]);

/** Asks two contracts at the same time who owns them. */
const askBoth = (client: ReturnType<typeof connect>) =>
  Promise.all([FACTORY, MACHINE].map((address) => client.readContract({ address, abi: OWNED, functionName: "owner" })));
const listCalled = () => node.listRequests("eth_call").map(([call]) => (call as { to: Hex }).to);

test("sends concurrent calls together if a contract takes many calls, and otherwise one by one", async () => {
  const owner = encodeFunctionResult({ abi: OWNED, functionName: "owner", result: OWNER });
  node.contracts.owner = () => OWNER;
  node.contracts.aggregate3 = (calls: unknown[]) => calls.map(() => [true, owner]);
  expect(await askBoth(connect([node.url], CONFIG, MANY_CALLS))).toEqual([OWNER, OWNER]);
  expect(listCalled()).toEqual([MANY_CALLS]);
  node.asked.length = 0;
  expect(await askBoth(connect([node.url], CONFIG))).toEqual([OWNER, OWNER]);
  expect(listCalled().sort()).toEqual([MACHINE, FACTORY]);
});
