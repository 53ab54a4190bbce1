import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import { startStandIn } from "../../tests/support/chain/node-pass.ts";
import { forwardToBackend } from "./pass-on.ts";

/* What a backend sends that nobody can use. */

type Deliver = (reply: ServerResponse) => unknown;

const JSON_TYPE = { "Content-Type": "application/json" };

/** JSON, the same by its other names, and what a gateway or a backend with a mistake may send. */
const TYPES = [
  JSON_TYPE,
  { "Content-Type": "application/problem+json" },
  { "Content-Type": "Application/JSON" },
  { "Content-Type": "text/html; charset=utf-8" },
  { "Content-Type": "text/plain" },
  {},
];

test.each<[string, Deliver]>([
  ...TYPES.flatMap((type): [string, Deliver][] => [
    [
      `that breaks off: ${JSON.stringify(type)}`,
      (reply) => reply.writeHead(200, { ...type, "Content-Length": 9 }).write("{}", () => reply.destroy()),
    ],
    [
      `that is not encoded as its header says: ${JSON.stringify(type)}`,
      (reply) => reply.writeHead(200, { ...type, "Content-Encoding": "gzip" }).end("{}"),
    ],
  ]),
  ["that is too long", (reply) => reply.writeHead(200, JSON_TYPE).end(`"${"x".repeat(33 * 1024 * 1024)}"`)],
  ["with an invalid status", (reply) => reply.writeHead(600, JSON_TYPE).end("{}")],
])("answers 503 to a backend's response %s", async (_, deliver) => {
  const { stop, url } = await startStandIn((__, reply) => deliver(reply));
  onTestFinished(stop);
  const { app, logged } = createAppUnderTest({ api: forwardToBackend({ apiUrl: url }) });
  const response = await app.request("/api/user");
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await response.json()).toMatchObject({ error: "UNAVAILABLE", statusCode: 503 });
  expect(logged()).toContainEqual(expect.objectContaining({ msg: "the backend did not answer a call" }));
});
