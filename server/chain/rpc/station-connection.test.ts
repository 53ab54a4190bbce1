import { afterEach, expect, test } from "vitest";
import { startStandIn } from "../../../tests/support/chain/node-pass.ts";
import { connect } from "./station.ts";

const started: Awaited<ReturnType<typeof startStandIn>>[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
});

test("an address that leads on is no chain: nobody else is asked", async () => {
  const elsewhere = await startStandIn((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0xd0a"}'));
  const given = await startStandIn((_, response) => response.writeHead(307, { Location: elsewhere.url }).end());
  started.push(elsewhere, given);

  const asking = connect([given.url], { timeout: 5000, retryCount: 0 }).getChainId();

  await expect(asking).rejects.toThrow("HTTP request failed");
  expect([given.asked.length, elsewhere.asked]).toEqual([1, []]);
});
