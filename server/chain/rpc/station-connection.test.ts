import type { RequestListener } from "node:http";
import { afterEach, expect, test } from "vitest";
import { startStandIn } from "../../../tests/support/chain/node-pass.ts";
import { connect } from "./station.ts";

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"result":"0xd0a"}';
const tellChain: RequestListener = (_, response) => response.end(CHAIN_ID);

const started: Awaited<ReturnType<typeof startStandIn>>[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
});

test("does not follow a redirect from a node", async () => {
  const elsewhere = await startStandIn(tellChain);
  const given = await startStandIn((_, response) => response.writeHead(307, { Location: elsewhere.url }).end());
  started.push(elsewhere, given);

  const asking = connect([given.url], { timeout: 5000, retryCount: 0 }).getChainId();

  await expect(asking).rejects.toThrow("HTTP request failed");
  expect([given.asked.length, elsewhere.asked]).toEqual([1, []]);
});

test.each([
  ["stops in the middle", (_, response) => response.writeHead(200).write(CHAIN_ID.slice(0, 9))],
  [
    "comes a byte at a time, forever",
    (_, response) => {
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    },
  ],
] satisfies [string, RequestListener][])("does not wait for a response that %s", async (_, answer) => {
  const stuck = await startStandIn(answer);
  started.push(stuck);
  const asking = connect([stuck.url], { timeout: 100, retryCount: 0 }).getChainId();
  await expect(asking).rejects.toThrow(/took too long|aborted due to timeout/);
});

test("retries a node as soon as any other, even if its Retry-After is a day", async () => {
  let refusals = 1;
  const busy = await startStandIn((request, response) =>
    refusals-- > 0 ? response.writeHead(429, { "Retry-After": "86400" }).end() : tellChain(request, response),
  );
  started.push(busy);
  expect(await connect([busy.url], { timeout: 5000, retryCount: 1 }).getChainId()).toBe(3338);
  expect(busy.asked).toHaveLength(2);
});
