import { keccak256, numberToHex, toHex, type Hex } from "viem";
import { expect, test } from "vitest";
import {
  blockHashOf,
  deployedLog,
  fails,
  internalError,
  MACHINE,
  NodeError,
  receiptOf,
  reverts,
} from "../../../tests/support/chain/scripted-node.ts";
import {
  EXECUTION,
  NAME,
  VALUE,
  createScriptedStation,
  openScriptedNode,
  signByManager,
} from "../../../tests/support/chain/scripted-station.ts";

const { database, node } = await openScriptedNode();
const { beginSent, clock } = createScriptedStation(database, node);
const { txHash: SENT } = await signByManager();
const FORMER = keccak256(toHex("former"));
const AGAIN = { again: 1_000 };

/** Sets the mined transactions by their hashes, and the latest block. */
function mine(mined: Record<Hex, Omit<Parameters<typeof receiptOf>[0], "hash">>, latest = 1000) {
  node.answers.eth_getTransactionReceipt = (hash: Hex) => {
    const found = mined[hash];
    return found ? receiptOf({ hash, ...found }) : null;
  };
  node.answers.eth_blockNumber = () => numberToHex(latest);
}

const minedAt = (block: number) => ({ txHash: SENT, blockNumber: block, blockHash: blockHashOf(block) });
const keepRecord = (value: Hex) => {
  node.contracts.readAttribute = () => ({ name: NAME, value, validity: 0, created: 1n });
};
const sentBytes = () => node.listRequests("eth_sendRawTransaction");
const createdLogs = { logs: [deployedLog()] };

test("a transaction that is found in a block is mined, and its block is stored", async () => {
  const job = await beginSent({ attempts: 2 });
  mine({ [SENT]: { block: 1000, ...createdLogs } });
  expect(await job.work()).toEqual(AGAIN);
  expect(await job.read()).toMatchObject({ state: "mined", attempts: 0, replacedHashes: [], ...minedAt(1000) });
});

test("looks for the current transaction and the replaced ones, and skips values that are no hash", async () => {
  const job = await beginSent({ replacedHashes: ["embedded:1", FORMER] });
  mine({ [FORMER]: { block: 1000, ...createdLogs } });
  await job.work();
  expect(node.listRequests("eth_getTransactionReceipt").slice(0, 2)).toEqual([[SENT], [FORMER]]);
  const kept = { txHash: FORMER, replacedHashes: ["embedded:1", SENT] };
  expect(await job.read()).toMatchObject({ state: "mined", ...kept });
});

test("finds a transaction of which only a replaced hash is known", async () => {
  const job = await beginSent({ txHash: null, replacedHashes: [FORMER] });
  mine({ [FORMER]: { block: 1000 } });
  await job.work();
  expect(await job.read()).toMatchObject({ state: "mined", txHash: FORMER, replacedHashes: [] });
});

test("a job stays as it is while the node fails", async () => {
  const job = await beginSent({ replacedHashes: [FORMER] });
  mine({ [FORMER]: { block: 1000 } });
  node.answers.eth_getTransactionReceipt = fails;
  await expect(job.work()).rejects.toThrow(/^the chain could not be asked \(sent\): \w+: /);
  expect(await job.read()).toMatchObject({ state: "sent", attempts: 0, txHash: SENT });
});

test.each([
  ["sent", 1005, "sent"],
  ["sent", 1006, "failed"],
  ["mined", 1005, "mined"],
  ["mined", 1006, "completed"],
] as const)("a job that is %s in block 1000 is, at block %i, %s", async (state, latest, then) => {
  const job = await beginSent({ state, attempts: 1 });
  mine({ [SENT]: { block: 1000, ...(state === "sent" ? { status: "reverted" } : createdLogs) } }, latest);
  await job.work();
  expect(await job.read()).toMatchObject({ state: then, attempts: 0 });
});

test.each([
  ["the contract's own error", reverts("TargetCallFailed", [MACHINE]), "TargetCallFailed"],
  ["no error of its own", MACHINE, "Reverted"],
])("a reverted transaction fails with the reason from its block: %s", async (_, said, errorName) => {
  const job = await beginSent();
  mine({ [SENT]: { block: 1000, status: "reverted" } }, 1006);
  node.contracts.deployMachineSmartAccount = (...asked: unknown[]) => (asked.at(-1) === "0x3e8" ? said : MACHINE);
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "failed", errorName, failedAt: clock.now() });
});

test("a job does not fail while the reason for its revert cannot be read", async () => {
  const job = await beginSent();
  mine({ [SENT]: { block: 1000, status: "reverted" } }, 1006);
  node.contracts.deployMachineSmartAccount = fails;
  await expect(job.work()).rejects.toThrow("the chain could not be asked (sent)");
  expect(await job.read()).toMatchObject({ state: "sent", errorName: null });
});

test.each([
  ["the latest one", reverts("InsufficientFactoryBalance"), "InsufficientFactoryBalance"],
  ["the latest one, which would let it through", MACHINE, "Reverted"],
  ["none", new NodeError("missing trie node"), "Reverted"],
])(
  "if nodes no longer have the block, the job fails after four attempts, for the reason of %s",
  async (_, said, errorName) => {
    const job = await beginSent();
    mine({ [SENT]: { block: 1000, status: "reverted" } }, 1006);
    const forgotten = new NodeError("missing trie node");
    node.contracts.deployMachineSmartAccount = (...asked: unknown[]) => (asked.at(-1) === "latest" ? said : forgotten);
    for (const attempts of [1, 2, 3]) {
      await expect(job.work()).rejects.toThrow("the chain could not be asked (sent)");
      expect(await job.read()).toMatchObject({ state: "sent", attempts });
    }
    expect(await job.work()).toBeUndefined();
    expect(await job.read()).toMatchObject({ state: "failed", errorName });
  },
);

test("a transaction that is not mined yet is left alone until it is stuck", async () => {
  const job = await beginSent({ attempts: 2, sentAt: new Date(clock.now().getTime() - 29_999) });
  expect(await job.work()).toEqual(AGAIN);
  expect(await job.read()).toMatchObject({ state: "sent", attempts: 0 });
  expect(sentBytes()).toEqual([]);
});

test.each([
  ["for half a minute", new Date(clock.now().getTime() - 30_000)],
  ["since nobody knows when", null],
  ["by a clock that was an hour ahead", new Date(clock.now().getTime() + 3_600_000)],
])("a transaction that waits %s is replaced at the same nonce", async (_, sentAt) => {
  const job = await beginSent({ sentAt });
  expect(await job.work()).toEqual(AGAIN);
  const { txHash, ...left } = await job.read();
  expect(left).toMatchObject({ replacedHashes: [SENT], senderNonce: 5, sentAt: clock.now(), state: "sent" });
  expect(txHash).not.toBe(SENT);
});

test("a waiting transaction is resent unchanged until there is a new block, and then replaced", async () => {
  const job = await beginSent({ sentAt: new Date(clock.now().getTime() - 30_000), signedBlock: 1000 });
  mine({}, 1000);
  expect(await job.work()).toEqual(AGAIN);
  const { rawTx, ...left } = await job.read();
  expect(sentBytes()).toEqual([[rawTx]]);
  expect(left).toMatchObject({ state: "sent", txHash: SENT, sentAt: clock.now() });

  clock.advance(30_000);
  mine({}, 1001);
  await job.work();
  expect(await job.read()).toMatchObject({ state: "sent", replacedHashes: [SENT], signedBlock: 1001 });
});

test.each([
  ["up to ten times the network's fee is replaced", 1_039n, 1],
  ["more than ten times the network's fee is resent unchanged", 1_040n, 0],
])("a waiting transaction whose replacement costs %s", async (_, maxFeePerGas, replaced) => {
  const kept = await signByManager({ maxFeePerGas });
  const job = await beginSent({ ...kept, sentAt: null });
  await job.work();
  const { rawTx, replacedHashes, state } = await job.read();
  expect([state, replacedHashes.length, rawTx === kept.rawTx]).toEqual(["sent", replaced, replaced === 0]);
  expect(sentBytes()).toEqual([[rawTx]]);
});

test("a transaction that waits behind an earlier nonce is resent unchanged", async () => {
  const job = await beginSent({ sentAt: new Date(clock.now().getTime() - 30_000) });
  node.answers.eth_getTransactionCount = (_: Hex, tag: string) => numberToHex(tag === "latest" ? 4 : 5);
  expect(await job.work()).toEqual(AGAIN);
  const { rawTx, replacedHashes, txHash } = await job.read();
  expect(sentBytes()).toEqual([[rawTx]]);
  expect([txHash, replacedHashes]).toEqual([SENT, []]);
});

test.each([
  [[FORMER, SENT], SENT],
  [[FORMER], null],
])(
  "a job starts again once its nonce was found used elsewhere four times, and keeps the hashes %s",
  async (known, txHash) => {
    const job = await beginSent({ replacedHashes: [FORMER], txHash });
    node.answers.eth_getTransactionCount = (_: Hex, tag: string) => numberToHex(tag === "latest" ? 6 : 5);
    for (const attempts of [1, 2, 3]) {
      expect(await job.work()).toEqual(AGAIN);
      expect(await job.read()).toMatchObject({ state: "sent", attempts, senderNonce: 5 });
    }
    // It starts over, and cannot go on.
    node.answers.eth_estimateGas = fails;
    await expect(job.work()).rejects.toThrow("(queued)");
    const forgotten = { txHash: null, rawTx: null, sender: null, senderNonce: null };
    expect(await job.read()).toMatchObject({ state: "queued", attempts: 0, replacedHashes: known, ...forgotten });
  },
);

test("takes an account's address from the factory's log, not from another contract's", async () => {
  const job = await beginSent({ state: "mined" });
  const another = deployedLog(MACHINE, "0xbad0000000000000000000000000000000000003");
  mine({ [SENT]: { block: 1000, logs: [another, deployedLog()] } }, 1006);
  expect(await job.work()).toEqual(AGAIN);
  const completed = { state: "completed", completedAt: clock.now(), machineAddress: MACHINE, ...minedAt(1000) };
  expect(await job.read()).toMatchObject(completed);
});

const OTHER_EVENT = { ...deployedLog(), topics: [keccak256(toHex("Another()")), ...deployedLog().topics.slice(1)] };

test.each([
  ["an account", {}, [deployedLog(MACHINE), OTHER_EVENT], "NoAccountDeployed"],
  ["an identity", EXECUTION, [deployedLog()], "NoIdentityFound"],
] as const)("%s that is still missing after four checks has failed", async (_, kind, logs, errorName) => {
  const job = await beginSent({ state: "mined", ...kind });
  mine({ [SENT]: { block: 1000, logs: [...logs] } }, 1006);
  keepRecord("0x1234");
  for (const attempts of [1, 2, 3]) {
    expect(await job.work()).toEqual(AGAIN);
    expect(await job.read()).toMatchObject({ state: "mined", attempts, ...minedAt(1000) });
  }
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "failed", errorName, failedAt: clock.now() });
});

test("a node that cannot read the register does not fail the job, however often it is asked", async () => {
  const job = await beginSent({ state: "mined", ...EXECUTION });
  mine({ [SENT]: { block: 1000 } }, 1006);
  node.contracts.readAttribute = () => internalError();
  for (let look = 1; look <= 6; look += 1) await expect(job.work()).rejects.toThrow("could not be asked (mined)");
  expect(await job.read()).toMatchObject({ state: "mined", attempts: 0 });
});

test("an identity is completed once the register has it, whatever the logs say", async () => {
  const job = await beginSent({ state: "mined", ...EXECUTION });
  mine({ [SENT]: { block: 1000 } }, 1006);
  keepRecord(VALUE);
  await job.work();
  expect(await job.read()).toMatchObject({ state: "completed", machineAddress: MACHINE });
});

test.each([
  ["an account", "mined", {}, null],
  ["an account", "completed", {}, null],
  ["an identity", "mined", EXECUTION, MACHINE],
  ["an identity", "completed", EXECUTION, MACHINE],
] as const)("%s that was %s and then undone is sent again, with the same bytes", async (_, state, kind, machine) => {
  const done = { machineAddress: MACHINE, ...minedAt(1000), completedAt: clock.now() };
  const job = await beginSent({ ...done, ...kind, state });
  // A node that is behind knows of none either, so a completed job is taken back only after four looks.
  for (const attempts of state === "completed" ? [1, 2, 3] : []) {
    expect(await job.work()).toEqual(AGAIN);
    expect(await job.read()).toMatchObject({ ...done, state, attempts });
  }
  expect(await job.work()).toEqual(AGAIN);
  const { rawTx, ...left } = await job.read();
  expect(sentBytes()).toEqual([[rawTx]]);
  const taken = { blockHash: null, blockNumber: null, completedAt: null };
  expect(left).toMatchObject({ state: "sent", txHash: SENT, machineAddress: machine, ...taken });
});

test.each([
  ["the tag", 1000, 1010, "finalized"],
  ["the tag", 999, 1100, "completed"],
  ["depth alone", undefined, 1063, "completed"],
  ["depth alone", undefined, 1064, "finalized"],
] as const)("a job in block 1000, judged by %s (final: %s, latest: %i), is %s", async (_, final, latest, state) => {
  const job = await beginSent({ state: "completed", replacedHashes: [FORMER] });
  mine({ [SENT]: { block: 1000, ...createdLogs } }, latest);
  node.answers.eth_getBlockByNumber = (tag: string) => {
    if (tag === "finalized" && final === undefined) throw new Error("There is no such tag");
    return { number: numberToHex(tag === "finalized" ? (final ?? 0) : latest) };
  };
  expect(await job.work()).toEqual(state === "completed" ? AGAIN : undefined);
  expect(await job.read()).toMatchObject({ state, ...minedAt(1000), replacedHashes: [FORMER] });
});
