import type { ServerResponse } from "node:http";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import { startStandIn } from "../../tests/support/chain/node-pass.ts";
import { forwardToBackend } from "./pass-on.ts";

/* How long to wait for a backend's response, and for the rest of it once it has begun. */

afterEach(() => void vi.useRealTimers());

/** Starts a backend whose response the test controls, and an app that passes calls on to it. */
async function start(stopping = new AbortController().signal) {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
  const { stop, url } = await startStandIn((_, response) => resolve(response));
  onTestFinished(stop);
  const { app } = createAppUnderTest({ api: forwardToBackend({ apiUrl: url }), stopping });
  return { ask: async () => app.request("/api/events"), asked };
}

const EVENTS = { "Content-Type": "text/event-stream; charset=utf-8" };

test.each<[string, Record<string, string>]>([
  ["an event stream", EVENTS],
  ["a file", { "Content-Type": "application/json", "Content-Disposition": "attachment" }],
])("passes on %s as it is produced, without a time limit once it has begun", async (_, headers) => {
  const { ask, asked } = await start();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const call = ask();
  const answer = await asked;
  answer.writeHead(200, headers).write("the beginning");
  const reader = (await call).body?.getReader();
  const read = async () => new TextDecoder().decode((await reader?.read())?.value);
  expect(await read()).toBe("the beginning");
  await vi.advanceTimersByTimeAsync(60_000);
  answer.write("and more");
  expect(await read()).toBe("and more");
  answer.end();
  expect((await reader?.read())?.done).toBe(true);
});

test("an event stream of the backend ends when this server stops", async () => {
  const stop = new AbortController();
  const { ask, asked } = await start(stop.signal);
  const call = ask();
  (await asked).writeHead(200, EVENTS).write(":\n\n");
  const reader = (await call).body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  stop.abort();
  expect((await reader?.read())?.done).toBe(true);
});

test("answers 503 to a call that the backend does not answer within ten seconds", async () => {
  const { ask, asked } = await start();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const call = ask();
  await asked;
  vi.advanceTimersByTime(10_000);
  const { headers, status } = await call;
  expect([status, headers.get("Retry-After")]).toEqual([503, "5"]);
});

test.each(["application/json", "text/html"])("answers 503 to a %s response that stalls", async (type) => {
  const { ask, asked } = await start();
  const fetched = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => fetched.mockRestore());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const call = ask();
  (await asked).writeHead(200, { "Content-Type": type }).write("the beginning");
  await fetched.mock.results[0]?.value;
  vi.advanceTimersByTime(10_000);
  expect((await call).status).toBe(503);
});
