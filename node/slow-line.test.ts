import { appendFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createNodeUnderTest, MINUTE } from "../tests/support/servers/node-under-test.ts";

const node = await createNodeUnderTest();
const { api, clock } = node;

/** How many bytes the line carries in the time of a call: about a hundred beats. */
const MOST_CARRIED = 5000;

test("what waits and is too much for one call on a slow line goes in shorter ones", async () => {
  await node.run({ minutes: 1 });
  const queue = node.listFiles().find((path) => path.endsWith("beats")) ?? "";
  const beats = Array.from({ length: 400 }, (_, index) => new Date(clock.now().getTime() - (index + 1) * 15 * MINUTE));
  await appendFile(queue, beats.map((beat) => `${beat.toISOString()}\n`).join(""));
  const before = await node.countHeartbeats();

  // The server has not received what the line does not carry.
  node.answer = async (request, connection) => {
    const { size } = await request.clone().blob();
    if (size <= MOST_CARRIED) return api.fetch(request);
    connection?.destroy();
    return new Response();
  };
  const lines = await node.run({ minutes: 10 });

  expect(lines.at(-1)).toBe("stopped");
  expect(await node.countHeartbeats()).toBe(before + 400);
});
