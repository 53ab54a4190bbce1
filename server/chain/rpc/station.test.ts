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
])("an address with %s (%s) is a contract's: %s", async (_, code, isContract) => {
  const { chain } = open();
  node.answers.eth_getCode = () => code;
  expect(await chain.hasCode(OWNER)).toBe(isContract);
  expect(node.listAsked("eth_getCode")).toEqual([[OWNER, "latest"]]);
});

const record = { name: NAME, value: VALUE, validity: 0, created: 1n };

test.each([
  ["a record", record, { name: NAME, value: VALUE }],
  ["an empty record", { ...record, value: "0x" }, undefined],
  ["a refusal", reverts(), undefined],
  ["nothing", "0x", undefined],
])("of an identity the register says: %s", async (_, said, read) => {
  const { chain } = open();
  node.contracts.readAttribute = () => said;
  expect(await chain.readIdentity(MACHINE, NAME)).toEqual(read);
});

test("what members wait for is unavailable where the nodes fail, and nobody waits for a second attempt", async () => {
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

test("an identity is not said to be missing where a node has trouble of its own", async () => {
  const { chain } = open();
  node.contracts.readAttribute = () => internalError();
  await expect(chain.readIdentity(MACHINE, NAME)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("where the first address fails the second is asked, each once, in their order", async () => {
  const { chain } = open({ rpcUrls: [other.url, node.url] });
  other.answers.eth_getCode = fails;
  node.answers.eth_getCode = () => "0x6080";
  expect(await chain.hasCode(OWNER)).toBe(true);
  node.answers.eth_getCode = () => new NodeError("busy");
  await expect(chain.hasCode(OWNER)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect([other.asked.length, node.asked.length]).toEqual([2, 2]);
});

test("the work that nobody waits for is patient in its own way", async () => {
  const { begin, chain } = open({ timing: { requestRetries: 1 } });
  await chain.check();
  const job = await begin();
  node.answers.eth_estimateGas = fails;
  await expect(job.work()).rejects.toThrow("the chain could not be asked");
  expect(node.listAsked("eth_estimateGas")).toHaveLength(2);
});

test("beside a node that never answers work is done before it is another process's", async () => {
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

test("a node that never answers is left alone after a while", async () => {
  const { chain } = open({ timing: { memberLimit: 1 } });
  node.answers.eth_getCode = () => new Promise(() => {});
  await expect(chain.hasCode(OWNER)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("accounts have the domain that the first of them tells, each its own contract", async () => {
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

test("the station signs with the admin's key, and its transactions can be looked at", async () => {
  const { chain } = open();
  const signature = await chain.attest("words");
  expect(chain.station.admin).toBe(accountAt(1).address);
  expect(await recoverMessageAddress({ message: "words", signature })).toBe(chain.station.admin);
  expect(chain.explorerUrl("0x12")).toBe("https://peaq.subscan.io/tx/0x12");
});

const CONFIG = { timeout: 10_000, retryCount: 0 };
const MANY_CALLS = "0xca11bde05977b3631167028862be2a173976ca11";
const OWNED = parseAbi(["function owner() view returns (address)"]);

/** Asks two contracts at the same time who owns them. */
const askBoth = (client: ReturnType<typeof connect>) =>
  Promise.all([FACTORY, MACHINE].map((address) => client.readContract({ address, abi: OWNED, functionName: "owner" })));
const listCalled = () => node.listAsked("eth_call").map(([call]) => (call as { to: Hex }).to);

test("what is asked together is sent together where a contract takes many calls, and else one by one", async () => {
  const owner = encodeFunctionResult({ abi: OWNED, functionName: "owner", result: OWNER });
  node.contracts.owner = () => OWNER;
  node.contracts.aggregate3 = (calls: unknown[]) => calls.map(() => [true, owner]);
  expect(await askBoth(connect([node.url], CONFIG, MANY_CALLS))).toEqual([OWNER, OWNER]);
  expect(listCalled()).toEqual([MANY_CALLS]);
  node.asked.length = 0;
  expect(await askBoth(connect([node.url], CONFIG))).toEqual([OWNER, OWNER]);
  expect(listCalled().sort()).toEqual([MACHINE, FACTORY]);
});
