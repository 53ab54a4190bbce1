import { numberToHex, type Hex } from "viem";
import { expect, test } from "vitest";
import { accountAt } from "../../../tests/support/chain/anvil.ts";
import {
  createScriptedStation,
  openScriptedNode,
  signByManager,
} from "../../../tests/support/chain/scripted-station.ts";

const { database, node } = await openScriptedNode();
const { beginSent, clock } = createScriptedStation(database, node);
const { txHash: SENT } = await signByManager();

test("the transaction of a key that has been replaced is resent unchanged, and judged by its own account's nonces", async () => {
  const former = accountAt(6).address;
  const job = await beginSent({ sender: former, sentAt: new Date(clock.now().getTime() - 30_000) });
  let used = 5;
  node.answers.eth_getTransactionCount = (address: Hex) => numberToHex(address === former ? used : 9);
  expect(await job.work()).toEqual({ again: 1_000 });
  const { rawTx, ...left } = await job.read();
  expect(node.listRequests("eth_sendRawTransaction")).toEqual([[rawTx]]);
  expect(left).toMatchObject({ state: "sent", sender: former, txHash: SENT, replacedHashes: [], attempts: 0 });

  used = 6;
  await job.work();
  expect(await job.read()).toMatchObject({ state: "sent", attempts: 1 });
});
