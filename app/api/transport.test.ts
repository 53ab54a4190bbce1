import { createServer, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { serveLocally } from "../../tests/support/servers/serve-locally.ts";
import { ApiError } from "./api-error.ts";
import { createApiClient } from "../client/client.ts";
import { openTransports } from "./transport.ts";

const client = { address: "203.0.113.7", userAgent: "a browser", deviceToken: undefined, requestId: "request-1" };
const embedded = { fetch: () => Promise.reject(new Error("not over HTTP")) };

afterEach(() => void vi.useRealTimers());

/** Starts a backend that begins its response, and ends it on demand. */
async function begin(status = 200) {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    response.writeHead(status, { "Content-Type": "text/csv" });
    response.write("the beginning");
    resolve(response);
  });
  const { url, close } = await serveLocally(server);
  onTestFinished(close);
  return { url, answering: promise };
}

/** Starts a backend whose first connection breaks, as if its process were killed, and whose second does not. */
async function breakFirst(broken: (response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer(({ method = "" }, response) => {
    asked.push(method);
    if (asked.length === 1) broken(response);
    else response.end("answered");
  });
  const { url, close } = await serveLocally(server);
  onTestFinished(close);
  return { asked, url, ...openTransports({ embedded, apiUrl: url, client }) };
}

describe.each<[string, (response: ServerResponse) => void]>([
  ["before the response", (response) => response.destroy()],
  ["within the response", (response) => response.write("the beginning", () => response.destroy())],
])("a connection that breaks %s", (_, broken) => {
  test("is replaced once for a read", async () => {
    const { asked, main, url } = await breakFirst(broken);
    expect(await (await main.fetch(new Request(url))).text()).toBe("answered");
    expect(asked).toEqual(["GET", "GET"]);
  });

  test("is not replaced for a write, because it may have succeeded", async () => {
    const { asked, main, url } = await breakFirst(broken);
    await expect(main.fetch(new Request(url, { method: "POST", body: "{}" }))).rejects.toThrow(TypeError);
    expect(asked).toEqual(["POST"]);
  });
});

test("a file may take longer than ten seconds once it has begun", async () => {
  const { answering, url } = await begin();
  const { main } = openTransports({ embedded, apiUrl: url, client });
  const timeOut = vi.spyOn(AbortSignal, "timeout");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  const response = await main.fetchStream(new Request(url));
  await vi.advanceTimersByTimeAsync(11_000);
  (await answering).end(", and the end");

  expect(await response.text()).toBe("the beginning, and the end");
  expect(timeOut).not.toHaveBeenCalled();
});

test("a response that refuses a file must end within ten seconds", async () => {
  const { url } = await begin(503);
  const { main } = openTransports({ embedded, apiUrl: url, client });
  const fetched = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => fetched.mockRestore());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const outcome = main.fetchStream(new Request(url)).catch((error: unknown) => error);
  await fetched.mock.results[0]?.value;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await outcome).toBeInstanceOf(Error);
});

test("a response that breaks off is a network error, even if unreadable responses have a fallback", async () => {
  const server = createServer((_, response) => void response.write("{", () => response.destroy()));
  const { url, close } = await serveLocally(server);
  onTestFinished(close);
  const installation = { origin: url, contracts: { version: "1" } };
  const log = { error: vi.fn<(details: object, message: string) => void>() };
  const transports = openTransports({ embedded, apiUrl: url, client });
  const status = createApiClient({ ...transports, accessToken: "token", log, installation }).legal.termsStatus();
  await expect(status).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  expect(log.error).not.toHaveBeenCalled();
});

test.each([
  ["an answer", 200],
  ["a refusal", 503],
])("aborts %s that grows too large", async (_, status) => {
  const { answering, url } = await begin(status);
  const transports = openTransports({ embedded, apiUrl: url, client });
  // The time-out is not what ends it.
  const timeOut = vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal);
  onTestFinished(() => timeOut.mockRestore());
  const log = { error: () => {} };
  const installation = { origin: url, contracts: { version: "1" } };
  const asked = createApiClient({ ...transports, accessToken: "token", log, installation }).users.stats();
  const response = await answering;
  const filling = Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024, "x"));
  const { promise: brokenOff, resolve } = Promise.withResolvers<void>();
  response.once("close", resolve);
  Readable.from(filling).pipe(response, { end: false });
  await expect(asked).rejects.toBeInstanceOf(ApiError);
  await brokenOff;
});

test("a page waits ten seconds in total for a silent backend, and two for each later request", async () => {
  const { url, close } = await serveLocally(createServer((_, response) => void response.end("{}")));
  onTestFinished(close);
  const { auth, main } = openTransports({ embedded, apiUrl: url, client });
  const timeOut = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => timeOut.mockRestore());
  vi.useFakeTimers({ toFake: ["performance"] });
  // The form itself took a minute to arrive.
  vi.advanceTimersByTime(60_000);

  await main.fetch(new Request(url));
  await auth.fetch(new Request(url));
  vi.advanceTimersByTime(4_000);
  await main.fetch(new Request(url));
  vi.advanceTimersByTime(6_000);
  await main.fetch(new Request(url));
  vi.advanceTimersByTime(2_000);
  await auth.fetch(new Request(url));

  expect(timeOut.mock.calls).toEqual([[10_000], [10_000], [6_000], [2_000], [2_000]]);
});
