import { expect, test } from "vitest";
import { createNodeUnderTest } from "../tests/support/servers/node-under-test.ts";

const node = await createNodeUnderTest();
const { api, clock } = node;

test("shows the server's message for an unknown reason for refusal, and drops the beat", async () => {
  const message = "Another machine beats for you.";
  node.answer = async (request) => {
    const response = await api.fetch(request);
    if (!request.url.endsWith("/api/heartbeats")) return response;
    const refused = [{ timestamp: clock.now().toISOString(), reason: "of_tomorrow", message }];
    return Response.json({ ...(await response.json()), accepted: 0, refused });
  };
  const lines = await node.run({ minutes: 5 });
  expect(lines.slice(1)).toEqual([
    "0 heartbeats counted · 1 heartbeat, 25 PTS",
    `heartbeat refused: ${message}`,
    "stopped",
  ]);
});
