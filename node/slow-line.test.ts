import { appendFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createNodeUnderTest, MINUTE } from "../tests/support/servers/node-under-test.ts";

const node = await createNodeUnderTest();
const { api, clock } = node;

/** How many bytes are carried in one call: about a hundred beats. */
const MOST_CARRIED = 5000;

const TOO_LARGE = "<html><title>413 Request Entity Too Large</title></html>";
const REFUSAL = { message: "Send at most 5 kB.", error: "PAYLOAD_TOO_LARGE", statusCode: 413 };

test.for([
  ["the line is too slow for one call", () => undefined],
  ["a proxy takes no longer calls", () => new Response(TOO_LARGE, { status: 413 })],
  ["the server takes no longer calls", () => Response.json(REFUSAL, { status: 413 })],
] as [string, () => Response | undefined][])("sends waiting beats in shorter calls if %s", async ([, refuse]) => {
  await node.run({ minutes: 1 });
  const queue = node.listFiles().find((path) => path.endsWith("beats")) ?? "";
  const beats = Array.from({ length: 400 }, (_, index) => new Date(clock.now().getTime() - (index + 1) * 15 * MINUTE));
  await appendFile(queue, beats.map((beat) => `${beat.toISOString()}\n`).join(""));
  const before = await node.countHeartbeats();

  const refused: number[] = [];
  // The server has not received what the line does not carry.
  node.answer = async (request, connection) => {
    const { size } = await request.clone().blob();
    if (size <= MOST_CARRIED) return api.fetch(request);
    refused.push(size);
    const refusal = refuse();
    if (!refusal) connection?.destroy();
    return refusal ?? new Response();
  };
  const lines = await node.run({ minutes: 10 });

  expect(lines.at(-1)).toBe("stopped");
  expect(await node.countHeartbeats()).toBe(before + 400);
  // The call after the first refusal is half as long, however few beats wait.
  expect((refused[1] ?? 0) / (refused[0] ?? 0)).toBeCloseTo(0.5, 1);
});
