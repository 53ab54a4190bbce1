import { numberToHex, parseEther } from "viem";
import { afterAll, beforeEach, expect, test } from "vitest";
import { FACTORY, fails, startScriptedNode } from "../../../tests/support/chain/scripted-node.ts";
import { createScriptedStation } from "../../../tests/support/chain/scripted-station.ts";
import { createMeasuredApp, readMetricLines } from "../../../tests/support/servers/measured-app.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";

const MINUTE = 60_000;
const database = await createTestDatabase();
const node = await startScriptedNode();
beforeEach(() => node.reset());
afterAll(async () => {
  await node.stop();
  await database.close();
});

const left = (manager: string, factory: string) => (asked: unknown) =>
  numberToHex(parseEther(String(asked).toLowerCase() === FACTORY.toLowerCase() ? factory : manager));

function open() {
  const { api, chain, clock } = createScriptedStation(database, node);
  const { scrape } = createMeasuredApp(api.deps, database);
  const readBalances = async () => readMetricLines(await scrape(), "chain_balance");
  return { chain, clock, readBalances };
}

test("reports the balances on the chain as last seen, and reads them at most once a minute", async () => {
  node.answers.eth_getBalance = left("2.5", "0.75");
  const { chain, clock, readBalances } = open();
  // This asks for the balances as well.
  await chain.check();
  const seen = [`chain_balance{account="factory"} 0.75`, `chain_balance{account="manager"} 2.5`];
  await expect.poll(readBalances).toEqual(seen);

  const asked = node.listRequests("eth_getBalance").length;
  node.answers.eth_getBalance = left("1", "0.5");
  clock.advance(MINUTE - 1);
  expect(await readBalances()).toEqual(seen);
  expect(node.listRequests("eth_getBalance").length).toBe(asked);

  clock.advance(1);
  await expect
    .poll(readBalances)
    .toEqual([`chain_balance{account="factory"} 0.5`, `chain_balance{account="manager"} 1`]);
  expect(node.listRequests("eth_getBalance").length).toBe(asked + 2);

  // Set the clock back.
  clock.advance(-60 * MINUTE);
  node.answers.eth_getBalance = left("0.5", "0.25");
  await expect
    .poll(readBalances)
    .toEqual([`chain_balance{account="factory"} 0.25`, `chain_balance{account="manager"} 0.5`]);
});

test("reports no balances, and does not wait, if the chain does not answer", async () => {
  node.answers.eth_getBalance = fails;
  expect(await open().readBalances()).toEqual([]);
});
