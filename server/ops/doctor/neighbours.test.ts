import { expect, onTestFinished, test } from "vitest";
import { accountAt, keyOf } from "../../../tests/support/chain/anvil.ts";
import { FACTORY, fails, startScriptedNode } from "../../../tests/support/chain/scripted-node.ts";
import { readEnvLeniently } from "../ops-env.ts";
import { examineAll } from "./check.ts";
import { chain } from "./neighbours.ts";

const examine = (settings: Record<string, string>) =>
  examineAll([chain], { ...readEnvLeniently(settings), sendTo: undefined });

test("checks the chain that is set: whether it answers, and is the right one", async () => {
  const node = await startScriptedNode();
  onTestFinished(node.stop);
  const settings = {
    CHAIN_RPC_URLS: node.url,
    CHAIN_FACTORY_ADDRESS: FACTORY,
    CHAIN_ADMIN_KEY: keyOf(accountAt(1)),
    CHAIN_MANAGER_KEY: keyOf(accountAt(2)),
  };
  const isWell = { name: "chain", state: "ok" };
  expect(await examine({})).toEqual([{ ...isWell, says: "None is set: a ledger in the database stands in." }]);
  expect(await examine({ API_URL: "https://api.nodebeat.test" })).toMatchObject([isWell]);
  expect(node.asked).toEqual([]);
  expect(await examine(settings)).toEqual([
    { ...isWell, says: "It answers; the contract, the roles and the balances are right." },
  ]);

  node.answers.eth_chainId = () => "0x1";
  const says = "CHAIN_RPC_URLS lead to chain 1, not to 3338.";
  const todo = expect.stringContaining("Members see Smart Accounts as not available");
  expect(await examine(settings)).toEqual([{ name: "chain", state: "broken", says, todo }]);

  node.answers.eth_chainId = fails;
  const silent = await examine(settings);
  expect(silent).toMatchObject([{ state: "broken", says: expect.stringContaining("CHAIN_RPC_URLS") }]);
  // An address may have a key to its node.
  expect(JSON.stringify(silent)).not.toContain(node.url);
  // It asks each address once, because an operator waits.
  expect(node.listRequests("eth_chainId")).toHaveLength(3);
});
