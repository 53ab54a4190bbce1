import { randomUUID } from "node:crypto";
import { keccak256, numberToHex, parseTransaction, type Hex } from "viem";
import { expect, test } from "vitest";
import {
  deployedLog,
  fails,
  internalError,
  MACHINE,
  receiptOf,
  reverts,
} from "../../../tests/support/chain/scripted-node.ts";
import {
  createScriptedStation,
  openScriptedNode,
  signByManager,
} from "../../../tests/support/chain/scripted-station.ts";
import { CHAIN } from "../submit.ts";

const { database, node } = await openScriptedNode();
const { begin, beginSent, chain, clock } = createScriptedStation(database, node);
const { txHash: SENT } = await signByManager();
// Check the chain once here: the start is not the subject of these tests.
await chain.check();

test("a job advances as far as it can in one turn", async () => {
  const job = await begin();
  node.answers.eth_getTransactionReceipt = (hash: typeof SENT) =>
    receiptOf({ hash, block: 900, logs: [deployedLog()] });
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "finalized", machineAddress: MACHINE });
});

test("a job takes at most eight steps in one turn, however often the chain contradicts itself", async () => {
  const job = await beginSent({ state: "mined" });
  let looks = 0;
  // Missing, there, and missing again: each time it is sent once more. In the end it stays.
  node.answers.eth_getTransactionReceipt = () => {
    looks += 1;
    return looks % 2 === 1 && looks < 20 ? null : receiptOf({ hash: SENT, block: 1000 });
  };
  expect(await job.work()).toEqual({ again: 1_000 });
  expect(node.listRequests("eth_sendRawTransaction")).toHaveLength(3);
  expect(await job.read()).toMatchObject({ state: "sent" });
});

test("jobs whose nonces a node reported too high get the correct ones, because nothing fills the gap", async () => {
  node.answers.eth_getTransactionCount = () => numberToHex(64);
  const jobs = [await begin(), await begin({ stationNonce: "8" })];
  for (const job of jobs) await job.work();
  const readNonces = async () => (await Promise.all(jobs.map((job) => job.read()))).map((job) => job.senderNonce);
  expect(await readNonces()).toEqual([64, 65]);

  node.reset();
  clock.advance(30_000);
  // After four looks the job believes it.
  for (const _ of Array(4).keys()) for (const job of jobs) await job.work();
  expect(await readNonces()).toEqual([5, 6]);
  const sent = node.listRequests("eth_sendRawTransaction").map(([raw]) => parseTransaction(raw as Hex).nonce);
  expect(sent).toEqual([5, 6]);
});

test("a transaction behind another job's nonce is resent unchanged, even if a node knows neither", async () => {
  node.answers.eth_getTransactionCount = () => numberToHex(4);
  await beginSent({ senderNonce: 4, stationNonce: "8" });
  const job = await beginSent();
  clock.advance(30_000);
  expect(await job.work()).toEqual({ again: 1_000 });
  const { rawTx, ...left } = await job.read();
  expect(node.listRequests("eth_sendRawTransaction")).toEqual([[rawTx]]);
  expect(left).toMatchObject({ state: "sent", attempts: 0, senderNonce: 5 });
});

test("a deleted job ends without asking the chain", async () => {
  const gone = { kind: CHAIN, key: randomUUID(), lease: randomUUID(), payload: null, attempts: 1 };
  expect(await chain.work(gone)).toBeUndefined();
  expect(node.asked).toEqual([]);
});

test.each(["finalized", "failed"] as const)("a job that is %s stays so", async (state) => {
  const job = await beginSent({ state, attempts: 2 });
  const left = await job.read();
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toEqual(left);
  expect(node.asked).toEqual([]);
});

test("a revert by the contract fails the job with the name of the error", async () => {
  const job = await begin({ attempts: 2 });
  node.contracts.deployMachineSmartAccount = () => reverts("InsufficientFactoryBalance");
  expect(await job.work()).toBeUndefined();
  const failed = { state: "failed", errorName: "InsufficientFactoryBalance", failedAt: clock.now(), attempts: 0 };
  expect(await job.read()).toMatchObject(failed);
});

test("NonceAlreadyUsed fails a job once the earlier use was not found four times", async () => {
  const job = await begin();
  node.contracts.deployMachineSmartAccount = () => reverts("NonceAlreadyUsed", [7n]);
  for (const attempts of [1, 2, 3]) {
    await expect(job.work()).rejects.toThrow("the chain could not be asked (queued): Refused: NonceAlreadyUsed");
    expect(await job.read()).toMatchObject({ state: "queued", attempts });
  }
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "failed", errorName: "NonceAlreadyUsed" });
});

test("NonceAlreadyUsed does not fail a job that was sent before, until the node finds its transaction", async () => {
  const hash = keccak256("0x12");
  const job = await begin({ attempts: 3, replacedHashes: [hash] });
  node.contracts.deployMachineSmartAccount = () => reverts("NonceAlreadyUsed", [7n]);
  for (const _ of [1, 2]) {
    await expect(job.work()).rejects.toThrow("the chain could not be asked (queued): Refused: NonceAlreadyUsed");
    expect(await job.read()).toMatchObject({ state: "queued", attempts: 3 });
  }
  node.answers.eth_getTransactionReceipt = (asked: Hex) => receiptOf({ hash: asked, block: 1000 });
  await job.work();
  expect(await job.read()).toMatchObject({ state: "mined", txHash: hash, blockNumber: 1000 });
});

test("NonceAlreadyUsed does not fail a job while the earlier use cannot be looked up", async () => {
  const job = await begin({ attempts: 3 });
  node.contracts.deployMachineSmartAccount = () => reverts("NonceAlreadyUsed", [7n]);
  node.answers.eth_getLogs = fails;
  await expect(job.work()).rejects.toThrow("the chain could not be asked (queued): ");
  expect(await job.read()).toMatchObject({ state: "queued", attempts: 3 });
});

test("the error of a request to the chain does not contain the node's address", async () => {
  const job = await begin();
  node.answers.eth_estimateGas = fails;
  const error = await job.work()?.then(String, (thrown: Error) => thrown);
  expect(error).toMatchObject({ message: expect.stringMatching(/^the chain could not be asked \(queued\): \w+: \S/) });
  expect(String(error)).not.toContain("key-of-the-node");
  expect(error).not.toHaveProperty("cause");
});

test.each([
  ["nothing more", undefined],
  ["no data", "0x"],
  ["words", "no backend is available"],
])("a node's internal error with %s is not taken for a revert", async (_, data) => {
  const job = await begin();
  node.answers.eth_call = () => internalError("Internal error", data);
  await expect(job.work()).rejects.toThrow("the chain could not be asked (queued)");
  expect(await job.read()).toMatchObject({ state: "queued", attempts: 0, errorName: null });
});

test("a node that does not know the contract does not fail the job", async () => {
  const job = await begin();
  node.contracts.deployMachineSmartAccount = () => "0x";
  await expect(job.work()).rejects.toThrow("the chain could not be asked (queued)");
  expect(await job.read()).toMatchObject({ state: "queued", attempts: 0, errorName: null });
  node.reset();
  await job.work();
  expect(await job.read()).toMatchObject({ state: "sent" });
});
