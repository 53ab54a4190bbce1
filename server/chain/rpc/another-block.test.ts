import { numberToHex } from "viem";
import { expect, test } from "vitest";
import { blockHashOf, deployedLog, MACHINE, receiptOf, reverts } from "../../../tests/support/chain/scripted-node.ts";
import {
  createScriptedStation,
  EXECUTION,
  NAME,
  openScriptedNode,
  signByManager,
  VALUE,
} from "../../../tests/support/chain/scripted-station.ts";
import { webhookEvents } from "../../db/schema.ts";

/* What happens when a reorganisation moves a transaction to another block. */

const { database, node } = await openScriptedNode();
const { beginSent, clock } = createScriptedStation(database, node);
const { txHash: SENT } = await signByManager();

/** Sets where the transaction is now, and the latest block. */
function mine(found: Omit<Parameters<typeof receiptOf>[0], "hash">, latest: number) {
  node.answers.eth_getTransactionReceipt = () => receiptOf({ hash: SENT, ...found });
  node.answers.eth_blockNumber = () => numberToHex(latest);
}

const minedAt = (block: number) => ({ txHash: SENT, blockNumber: block, blockHash: blockHashOf(block) });
const createdLogs = { logs: [deployedLog()] };

test.each([
  ["another block", { block: 903, ...createdLogs }, "completed", minedAt(903)],
  ["another block, where it made nothing", { block: 903 }, "mined", { completedAt: null, ...minedAt(903) }],
  ["another block, where it was refused", { block: 903, status: "reverted" as const }, "failed", { completedAt: null }],
  ["the same block", { block: 900, ...createdLogs }, "finalized", minedAt(900)],
])("a completed job whose transaction is now in %s is checked again", async (_, found, state, left) => {
  const done = { machineAddress: MACHINE, ...minedAt(900), completedAt: clock.now() };
  const job = await beginSent({ ...done, state: "completed" });
  mine(found, 1000);
  node.answers.eth_getBlockByNumber = () => ({ number: numberToHex(902) });
  await job.work();
  expect(await job.read()).toMatchObject({ state, ...left });
});

test("a mined transaction that is reverted in another block fails with the reason", async () => {
  const job = await beginSent({ state: "mined", ...minedAt(1000) });
  mine({ block: 1001, status: "reverted" }, 1010);
  node.contracts.deployMachineSmartAccount = () => reverts("InsufficientFactoryBalance");
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "failed", errorName: "InsufficientFactoryBalance" });
});

test("a Machine ID is announced once it is completed, and not again if it moves to another block", async () => {
  const job = await beginSent({ state: "mined", ...EXECUTION });
  node.contracts.readAttribute = () => ({ name: NAME, value: VALUE, validity: 0, created: 1n });
  node.answers.eth_getBlockByNumber = () => ({ number: numberToHex(899) });
  mine({ block: 900 }, 905);
  await job.work();
  expect(await database.db.select().from(webhookEvents)).toEqual([]);

  const at = clock.now();
  for (const block of [900, 903]) {
    mine({ block }, 1000);
    await job.work();
    expect(await job.read()).toMatchObject({ state: "completed", completedAt: clock.now(), ...minedAt(block) });
    clock.advance(1_000);
  }
  const data = { memberId: job.userId, machineAddress: MACHINE };
  expect(await database.db.select().from(webhookEvents)).toEqual([
    { id: expect.any(String), type: "machine_id.created", subject: job.id, at, data },
  ]);
});
