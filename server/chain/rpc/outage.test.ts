import { keccak256, numberToHex, type Hex } from "viem";
import { expect, test } from "vitest";
import {
  deployedLog,
  fails,
  MACHINE,
  NodeError,
  receiptOf,
  reverts,
} from "../../../tests/support/chain/scripted-node.ts";
import {
  EXECUTION,
  createScriptedStation,
  openScriptedNode,
  signByManager,
} from "../../../tests/support/chain/scripted-station.ts";

const { database, node } = await openScriptedNode();
const { begin, beginSent, chain } = createScriptedStation(database, node);
const { txHash: SENT } = await signByManager();
// Check the chain once here: the start is not the subject of these tests.
await chain.check();

type ScriptedJob = Awaited<ReturnType<typeof begin>>;

/** Works on the job five times while the node fails. */
async function sitOut(job: ScriptedJob) {
  const answers = { ...node.answers };
  for (const method of Object.keys(answers)) node.answers[method] = fails;
  for (let turn = 1; turn <= 5; turn += 1) await expect(job.work()).rejects.toThrow("the chain could not be asked");
  Object.assign(node.answers, answers);
}

/** Expects three looks that find nothing, with an outage after the second. With the fourth the job is given up. */
async function expectFourChecks(job: ScriptedJob, state: string) {
  for (const attempts of [1, 2, 3]) {
    await job.work()?.catch(() => {});
    expect(await job.read()).toMatchObject({ state, attempts });
    if (attempts !== 2) continue;
    await sitOut(job);
    expect(await job.read()).toMatchObject({ state, attempts });
  }
}

const mine = (mined: Partial<Parameters<typeof receiptOf>[0]>) => {
  node.answers.eth_getTransactionReceipt = (hash: Hex) => receiptOf({ hash, block: 1000, ...mined });
  node.answers.eth_blockNumber = () => numberToHex(1006);
};

test("an outage does not count as an attempt to find the earlier use of a nonce", async () => {
  const job = await begin();
  node.contracts.deployMachineSmartAccount = () => reverts("NonceAlreadyUsed", [7n]);
  await sitOut(job);
  await expectFourChecks(job, "queued");
  await job.work();
  expect(await job.read()).toMatchObject({ state: "failed", errorName: "NonceAlreadyUsed" });
});

test("an outage does not count as an attempt to find a transaction whose nonce was used elsewhere", async () => {
  const job = await beginSent();
  node.answers.eth_getTransactionCount = (_: Hex, tag: string) => numberToHex(tag === "latest" ? 6 : 5);
  await sitOut(job);
  await expectFourChecks(job, "sent");
  await job.work();
  expect(await job.read()).toMatchObject({ replacedHashes: [SENT], senderNonce: 5 });
});

test.each([
  ["an account", {}, "NoAccountDeployed"],
  ["an identity", EXECUTION, "NoIdentityFound"],
] as const)("an outage does not count as an attempt to find %s", async (_, kind, errorName) => {
  const job = await beginSent({ state: "mined", ...kind });
  mine({ logs: kind === EXECUTION ? [deployedLog()] : [] });
  await sitOut(job);
  await expectFourChecks(job, "mined");
  await job.work();
  expect(await job.read()).toMatchObject({ state: "failed", errorName });
});

test("an outage does not count as an attempt to find the reason for a revert", async () => {
  const job = await beginSent();
  mine({ status: "reverted" });
  const forgotten = new NodeError("missing trie node");
  node.contracts.deployMachineSmartAccount = (...asked: unknown[]) => (asked.at(-1) === "latest" ? MACHINE : forgotten);
  await sitOut(job);
  await expectFourChecks(job, "sent");
  await job.work();
  expect(await job.read()).toMatchObject({ state: "failed", errorName: "Reverted" });
});

const ANOTHER = { transactionHash: keccak256("0x01") };

test.each([
  ["sent", "is another transaction's", ANOTHER],
  ["sent", "does not say how it went", { status: null }],
  ["mined", "is another transaction's", ANOTHER],
  ["mined", "does not say how it went", { status: null }],
] as const)("a job that was %s ignores a receipt that %s", async (state, _, lie) => {
  const job = await beginSent({ state });
  const logs = [deployedLog()];
  mine({ logs });
  node.answers.eth_getTransactionReceipt = (hash: Hex) => ({ ...receiptOf({ hash, block: 1000, logs }), ...lie });
  for (let turn = 1; turn <= 5; turn += 1) await expect(job.work()).rejects.toThrow(`could not be asked (${state})`);
  const left = { state, attempts: 0, txHash: SENT, machineAddress: null, errorName: null };
  expect(await job.read()).toMatchObject(left);
  mine({ logs });
  await job.work();
  expect(await job.read()).toMatchObject({ state: "completed", txHash: SENT, machineAddress: MACHINE });
});

test("attempts of another kind do not count as attempts to find the reason for a revert", async () => {
  const job = await beginSent({ attempts: 3 });
  mine({ status: "reverted" });
  node.contracts.deployMachineSmartAccount = (...asked: unknown[]) =>
    asked.at(-1) === "latest" ? MACHINE : reverts("InsufficientFactoryBalance");
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "failed", errorName: "InsufficientFactoryBalance" });
});
