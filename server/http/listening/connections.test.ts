import { afterEach, expect, test } from "vitest";
import { html } from "../../../tests/support/servers/app-under-test.ts";
import type { Listening } from "./listen.ts";
import { openRawClient, sendRaw, startUnderTest } from "../../../tests/support/servers/listen-under-test.ts";

const open: Listening[] = [];
afterEach(() => Promise.all(open.splice(0).map((listening) => listening.drain(0))));

/** Starts a server whose pages wait until the test releases them, and which records the requests that it began. */
async function startSlow(body = "") {
  const begun: string[] = [];
  const second = Promise.withResolvers<void>();
  const doors = new Map<string, PromiseWithResolvers<void>>();
  function doorOf(path: string) {
    const door = doors.get(path) ?? Promise.withResolvers<void>();
    doors.set(path, door);
    return door;
  }
  const listening = await startUnderTest({
    pages: async ({ url }) => {
      const { pathname } = new URL(url);
      begun.push(pathname);
      if (begun.length === 2) second.resolve();
      await doorOf(pathname).promise;
      return html(`answer to ${pathname}.${body}`);
    },
  });
  open.push(listening);
  return { ...listening, begun, second: second.promise, letGo: (path: string) => doorOf(path).resolve() };
}

const requests = (count: number) =>
  Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join("");

/** Makes a request of another client. Once it is answered, the server has seen everything that was sent before. */
const haveTurn = (url: string) => sendRaw(url, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

test("pipelined requests are started one after the other, and answered in order", async () => {
  const { url, begun, letGo } = await startSlow();
  const { socket, heard } = await openRawClient(url);
  socket.write(requests(3));
  await haveTurn(url);
  expect(begun).toEqual(["/0"]);
  for (const path of ["/2", "/0"]) letGo(path);
  await heard("answer to /0.");
  await haveTurn(url);
  expect(begun).toEqual(["/0", "/1"]);
  letGo("/1");
  await heard("answer to /2.");
  expect(begun).toEqual(["/0", "/1", "/2"]);
});

test("starts no further request until the client reads the response", async () => {
  const { url, begun, second, letGo } = await startSlow("x".repeat(32 * 1024 * 1024));
  const { socket } = await openRawClient(url);
  socket.pause();
  socket.write(requests(10));
  letGo("/0");
  await haveTurn(url);
  await haveTurn(url);
  expect(begun).toEqual(["/0"]);
  socket.resume();
  await second;
  expect(begun).toEqual(["/0", "/1"]);
});

test("disconnects a client that reads nothing of its response, but not one that waits for the rest", async () => {
  const rest = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const chunk = new Uint8Array(64 * 1024);
  const bodies = {
    endless: () => new ReadableStream({ pull: (stream) => stream.enqueue(chunk), cancel: () => left.resolve() }),
    slow: () =>
      new ReadableStream({
        async start(stream) {
          stream.enqueue(Buffer.from("the beginning"));
          await rest.promise;
          stream.enqueue(Buffer.from(", and the rest"));
          stream.close();
        },
      }),
  };
  const pages = async ({ url }: Request) => html(url.endsWith("/slow") ? bodies.slow() : bodies.endless());
  const listening = await startUnderTest({ pages }, { timeouts: { send: 100 } });
  open.push(listening);
  const patient = await openRawClient(listening.url);
  patient.socket.write("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  await patient.heard("the beginning");

  const { socket } = await openRawClient(listening.url);
  socket.pause();
  socket.write("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
  await left.promise;
  rest.resolve();
  expect(await patient.closed).toContain(", and the rest");
});

test("disconnects a client that pipelines far too many requests, after starting only one", async () => {
  const { url, begun } = await startSlow();
  const { socket, closed } = await openRawClient(url);
  socket.write(requests(200));
  expect(await closed).toBe("");
  expect(begun).toEqual(["/0"]);
});

test("pipelined requests on one connection do not hold up another connection", async () => {
  const { url, begun } = await startSlow();
  for (const { socket } of [await openRawClient(url), await openRawClient(url)]) socket.write(requests(2));
  await haveTurn(url);
  expect(begun).toEqual(["/0", "/0"]);
});

/** Makes a turn of the event loop so long that everything in transit has arrived by the next turn. */
function hold() {
  const end = performance.now() + 5;
  while (performance.now() < end);
}

test.runIf(process.platform === "linux")("concurrent new connections do not wait for each other", async () => {
  const listening = await startUnderTest();
  open.push(listening);
  const { url } = listening;
  const hellos = Array.from({ length: 200 }, () => haveTurn(url));
  let turns = 0;
  const count = () => {
    turns += 1;
    hold();
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await Promise.all(hellos);
  clearImmediate(counting);
  // If each connection waited for the one before, every one of them would take a turn of the event loop.
  expect(turns).toBeLessThan(100);
});
