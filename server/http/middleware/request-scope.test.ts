import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { createAppUnderTest, html } from "../../../tests/support/servers/app-under-test.ts";
import { currentTimeBudget } from "../../db/time-budget.ts";

const proxied = { "x-request-id": "edge-7f3a.1", "x-forwarded-for": "203.0.113.9" };

async function ask(headers: Record<string, string>, peer = "::ffff:10.0.0.1") {
  const { app } = createAppUnderTest({
    env: { trustedProxies: ["10.0.0.0/8"] },
    pages: async (_, { requestId, clientAddress }) => html(`${requestId} ${clientAddress}`),
  });
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: peer });
  const incoming = Object.assign(new IncomingMessage(socket), { rawHeaders: ["Host", "localhost"] });
  const response = await app.request("/", { headers }, { incoming });
  const [id, address] = (await response.text()).split(" ");
  expect(response.headers.get("X-Request-Id")).toBe(id);
  return { id, address };
}

test("uses the request id and the client address that a trusted proxy sends", async () => {
  expect(await ask(proxied)).toEqual({ id: "edge-7f3a.1", address: "203.0.113.9" });
});

test("ignores the request id and the client address that anyone else sends", async () => {
  const { id, address } = await ask(proxied, "198.51.100.7");
  expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(address).toBe("198.51.100.7");
});

test.each(["short", "a".repeat(65), "<script>alert", 'quote"quote'])("replaces a request id like %s", async (id) => {
  expect((await ask({ ...proxied, "x-request-id": id })).id).toMatch(/^[\da-f-]{36}$/);
});

test.each([2_000, undefined])("applies a database time limit of %s ms to a request", async (databaseTimeLimit) => {
  const { app } = createAppUnderTest({
    databaseTimeLimit,
    pages: async () => html(String(currentTimeBudget()?.limit)),
  });
  const response = await app.request("/");
  expect(await response.text()).toBe(String(databaseTimeLimit ?? Infinity));
});
