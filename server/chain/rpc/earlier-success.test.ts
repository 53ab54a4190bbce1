import {
  encodeFunctionData,
  keccak256,
  numberToHex,
  toEventSelector,
  toHex,
  zeroAddress,
  zeroHash,
  type Hex,
} from "viem";
import { beforeEach, expect, test } from "vitest";
import { accountAt } from "../../../tests/support/chain/anvil.ts";
import {
  blockHashOf,
  deployedLog,
  FACTORY,
  fails,
  MACHINE,
  NodeError,
  receiptOf,
  reverts,
} from "../../../tests/support/chain/scripted-node.ts";
import {
  createScriptedStation,
  openScriptedNode,
  describeDeployment,
  describeRecord,
  EXECUTION,
  NAME,
  VALUE,
} from "../../../tests/support/chain/scripted-station.ts";
import { factoryAbi, olderFactoryAbi } from "../abi.ts";
import { IDENTITY_PRECOMPILE } from "../contract.ts";

/* What is searched if the factory says that a job's number was used before. */

const { database, node } = await openScriptedNode();
const { begin, chain, clock } = createScriptedStation(database, node);
await chain.check();

beforeEach(() => {
  node.contracts.deployMachineSmartAccount = () => reverts("NonceAlreadyUsed", [7n]);
  node.contracts.executeMachineTransaction = () => reverts("NonceAlreadyUsed", [7n]);
});

type Filter = { fromBlock: Hex; toBlock: Hex; address: unknown; topics: (Hex | null)[] };
type Call = { block: number; input: Hex };

/**
 * Sets the calls that somebody made. The logs list all of them, whatever is asked, and search `most` blocks at once.
 */
function make(calls: Call[], latest = 1000, most = 2000) {
  const made = calls.map((call) => ({ ...call, hash: keccak256(toHex(JSON.stringify(call))) }));
  node.answers.eth_blockNumber = () => numberToHex(latest);
  node.answers.eth_getLogs = ({ fromBlock, toBlock, topics: [event, ...indexed] }: Filter) => {
    if (Number(toBlock) - Number(fromBlock) >= most) return new NodeError("exceed maximum block range: 600");
    const topics = [event, ...indexed.map((topic) => topic ?? zeroHash), ...(indexed.length === 0 ? [zeroHash] : [])];
    return made
      .filter(({ block }) => block >= Number(fromBlock) && block <= Number(toBlock))
      .flatMap(
        ({ block, hash }) => receiptOf({ hash, block, logs: [{ ...deployedLog(), data: zeroHash, topics }] }).logs,
      );
  };
  node.answers.eth_getTransactionByHash = (hash: Hex) => made.find((call) => call.hash === hash) ?? null;
  node.answers.eth_getTransactionReceipt = (hash: Hex) => {
    const found = made.find((call) => call.hash === hash);
    return found ? receiptOf({ hash, block: found.block, logs: [deployedLog()] }) : null;
  };
  return made.map(({ hash }) => hash);
}

const listSpans = () =>
  node.listRequests("eth_getLogs").map(([filter]) => {
    const { fromBlock, toBlock } = filter as Filter;
    return [Number(fromBlock), Number(toBlock)];
  });

const ours = (block: number) => ({ block, input: describeDeployment(7n) });

test("an identical earlier call counts as the job's success, and nothing is sent", async () => {
  const [, hash] = make([{ block: 998, input: describeDeployment(6n) }, ours(998)]);
  const job = await begin({ attempts: 3 });
  expect(await job.work()).toEqual({ again: 1_000 });
  const place = { txHash: hash, blockNumber: 998, blockHash: blockHashOf(998) };
  expect(await job.read()).toMatchObject({ state: "mined", attempts: 0, ...place });
  expect(node.listRequests("eth_sendRawTransaction")).toEqual([]);
});

test("another transaction's receipt does not count as that of the earlier call", async () => {
  make([ours(998)]);
  const job = await begin();
  node.answers.eth_getTransactionReceipt = () => receiptOf({ hash: zeroHash, block: 998, logs: [deployedLog()] });
  await expect(job.work()).rejects.toThrow("the chain could not be asked (queued)");
  expect(await job.read()).toMatchObject({ state: "queued", attempts: 0, txHash: null });
});

test("a job restarts if a reorganisation undoes its earlier success, as it has no transaction to resend", async () => {
  make([ours(998)]);
  const job = await begin();
  await job.work();
  expect(await job.read()).toMatchObject({ state: "mined", rawTx: null });
  node.reset();
  expect(await job.work()).toEqual({ again: 1_000 });
  expect(node.listRequests("eth_sendRawTransaction")).toHaveLength(1);
  expect(await job.read()).toMatchObject({ state: "sent", blockHash: null, senderNonce: 5 });
});

test("a job restarts if its earlier success is reverted in another block", async () => {
  const [hash = zeroHash] = make([ours(998)]);
  const job = await begin();
  await job.work();
  node.answers.eth_getTransactionReceipt = () => receiptOf({ hash, block: 999, status: "reverted" });
  await job.work();
  expect(await job.read()).toMatchObject({ state: "sent", rawTx: null });
  node.reset();
  // The account has never sent anything.
  node.answers.eth_getTransactionCount = () => "0x0";
  expect(await job.work()).toEqual({ again: 1_000 });
  expect(await job.read()).toMatchObject({ state: "sent", blockHash: null, senderNonce: 0 });
});

test.each([
  ["from 5,000 blocks back where nothing says from where", null, 20_000, [15_000, 17_000, 19_000]],
  ["from the first block of a young chain", null, 4_000, [0, 2_000, 4_000]],
  ["from the block since when it may be there", 18_000, 20_000, [18_000, 20_000]],
  ["from the first block where it says so", 0, 1_998, [0]],
  ["in spans that nodes allow, the last one whole", 1, 2_000, [1]],
  ["in one more for one block more", 1, 2_001, [1, 2_001]],
])("looks for the earlier call %s", async (_, sinceBlock, latest, starts) => {
  make([], latest);
  const job = await begin({ sinceBlock });
  await expect(job.work()).rejects.toThrow("NonceAlreadyUsed");
  expect(listSpans()).toEqual(starts.map((from) => [from, Math.min(from + 1_999, latest)]));
});

test("finds the earlier call in a later span, and stops looking", async () => {
  const [hash] = make([ours(18_500)], 20_000);
  const job = await begin({ sinceBlock: 14_000 });
  await job.work();
  expect(listSpans()).toEqual([
    [14_000, 15_999],
    [16_000, 17_999],
    [18_000, 19_999],
  ]);
  expect(await job.read()).toMatchObject({ txHash: hash, blockNumber: 18_500 });
});

test("halves the span, repeatedly, for a node that searches fewer blocks at once", async () => {
  const [hash] = make([ours(1_800)], 1_999, 600);
  const job = await begin({ sinceBlock: 0 });
  await job.work();
  expect(await job.read()).toMatchObject({ txHash: hash, blockNumber: 1_800 });
  const spans = listSpans().map((span) => span.join("-"));
  expect(spans.join(" ")).toBe("0-1999 0-999 0-499 500-999 1000-1999 1000-1499 1500-1999");
});

test.each([
  ["another's account", describeDeployment(7n, accountAt(5).address)],
  ["another number", describeDeployment(8n)],
  ["a call that has nothing to do with it", "0x12345678"],
  [
    "a call by an account",
    encodeFunctionData({
      abi: factoryAbi,
      functionName: "executeMachineTransaction",
      args: [MACHINE, IDENTITY_PRECOMPILE, "0x", 7n, 0n, "0x", "0x"],
    }),
  ],
  ["a question", encodeFunctionData({ abi: factoryAbi, functionName: "STATION_MANAGER_ROLE" })],
] as [string, Hex][])("%s does not count as the wanted account", async (_, input) => {
  make([{ block: 1000, input }]);
  const job = await begin();
  await expect(job.work()).rejects.toThrow("NonceAlreadyUsed");
  expect(await job.read()).toMatchObject({ state: "queued", attempts: 1, txHash: null });
});

const execute = { machine: MACHINE, data: EXECUTION.calldata, nonce: 7n };
const callOf = ({ data, machine, nonce }: typeof execute) =>
  encodeFunctionData({
    abi: factoryAbi,
    functionName: "executeMachineTransaction",
    args: [machine, IDENTITY_PRECOMPILE, data, nonce, 0n, "0x", "0x"],
  });
const olderCallOf = ({ data, machine, nonce }: typeof execute) =>
  encodeFunctionData({
    abi: olderFactoryAbi,
    functionName: "executeMachineTransaction",
    args: [machine, IDENTITY_PRECOMPILE, data, nonce, "0x", "0x"],
  });

test.each([
  ["a later factory", callOf(execute)],
  ["an older factory", olderCallOf(execute)],
])("the same call by the account counts as the job's success: %s", async (_, input) => {
  const [hash] = make([{ block: 990, input }]);
  const job = await begin(EXECUTION);
  await job.work();
  expect(await job.read()).toMatchObject({ state: "mined", txHash: hash, blockNumber: 990 });
});

test.each([
  ["another account's", callOf({ ...execute, machine: zeroAddress })],
  ["another record", callOf({ ...execute, data: describeRecord("0x12") })],
  ["another number", olderCallOf({ ...execute, nonce: 8n })],
  ["a deployment with the same number", describeDeployment(7n)],
  ["a call that has nothing to do with it", "0x12345678"],
] as [string, Hex][])("a different call does not count as the job's success: %s", async (_, input) => {
  make([{ block: 1000, input }]);
  const job = await begin(EXECUTION);
  await expect(job.work()).rejects.toThrow("NonceAlreadyUsed");
  expect(await job.read()).toMatchObject({ state: "queued", txHash: null });
});

test("an existing record counts as the job's success, even if no call is found", async () => {
  make([]);
  node.contracts.readAttribute = () => ({ name: NAME, value: VALUE, validity: 0, created: 1n });
  const job = await begin({ ...EXECUTION, txHash: keccak256("0x12") });
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "finalized", completedAt: clock.now(), txHash: null });
});

const keepRecord = (value: Hex) => {
  node.contracts.readAttribute = () => ({ name: NAME, value, validity: 0, created: 1n });
  node.contracts.executeMachineTransaction = () => reverts("TargetCallFailed", [IDENTITY_PRECOMPILE]);
};

test("a record from the member's earlier job counts as the job's success", async () => {
  const earlier = await begin({ ...EXECUTION, state: "failed", errorName: "NoIdentityFound" });
  keepRecord(VALUE);
  const calldata = describeRecord("0x12");
  const job = await begin({ ...EXECUTION, userId: earlier.userId, stationNonce: "8", calldata });
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "finalized", completedAt: clock.now(), errorName: null });
  expect(await earlier.read()).toMatchObject({ state: "failed" });
});

test.each([
  ["nobody has asked for", "0x1234"],
  ["another member has asked for", VALUE],
] as [string, Hex][])("a record that %s does not count: the job fails at once", async (_, value) => {
  await begin({ ...EXECUTION, state: "failed" });
  keepRecord(value);
  const job = await begin({ ...EXECUTION, stationNonce: "8", calldata: describeRecord("0x12") });
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "failed", errorName: "TargetCallFailed" });
});

test("a refusal by the register does not fail the job while the register cannot be read", async () => {
  keepRecord(VALUE);
  node.contracts.readAttribute = fails;
  const job = await begin({ ...EXECUTION, attempts: 3 });
  await expect(job.work()).rejects.toThrow("the chain could not be asked (queued)");
  expect(await job.read()).toMatchObject({ state: "queued", errorName: null });
});

test("searches the factory's logs for deployments, and also the account's logs for its calls", async () => {
  make([]);
  await (await begin()).work().catch(() => {});
  await (await begin({ ...EXECUTION, stationNonce: "8" })).work().catch(() => {});
  const deployed = toEventSelector("MachineSmartAccountDeployed(address)");
  const executed = toEventSelector("MachineTransactionExecuted(address,address,address)");
  const machine = `0x${MACHINE.slice(2).padStart(64, "0")}`;
  expect(node.listRequests("eth_getLogs")).toMatchObject([
    [{ address: FACTORY, topics: [deployed] }],
    [{ address: [FACTORY, expect.stringMatching(new RegExp(MACHINE, "i"))], topics: [executed, null, machine] }],
  ]);
});
