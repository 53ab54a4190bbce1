import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createApiUnderTest, createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";

/** Opens a server whose stream the test feeds, with a count of the streams that wait for the server to stop. */
function open(type = "text/event-stream; charset=utf-8") {
  const stop = new AbortController();
  const left: unknown[] = [];
  let maker: ReadableStreamDefaultController | undefined;
  const api = createApiUnderTest();
  const source: UnderlyingSource = {
    start: (controller) => void (maker = controller as ReadableStreamDefaultController),
    cancel: (reason) => void left.push(reason),
  };
  api.get("/api/events", () => new Response(new ReadableStream(source), { headers: { "Content-Type": type } }));
  const { app } = createAppUnderTest({ api, stopping: stop.signal });
  async function connect() {
    const reader = (await app.request("/api/events")).body?.getReader();
    if (!reader || !maker) throw new Error("There is no stream");
    maker.enqueue(new TextEncoder().encode(":\n\n"));
    await reader.read();
    return { reader, maker };
  }
  const ask = (method: string) => app.request("/api/events", { method });
  return { ask, connect, left, stop, countTold: () => getEventListeners(stop.signal, "abort").length };
}

test("releases an event stream that ended, failed or was cancelled, before the server stops", async () => {
  const { connect, countTold, left } = open();
  const [ended, broken, abandoned] = [await connect(), await connect(), await connect()];
  expect(countTold()).toBe(3);
  ended.maker.close();
  expect(await ended.reader.read()).toMatchObject({ done: true });
  broken.maker.error(new Error("broken off"));
  expect(await broken.reader.read()).toMatchObject({ done: true });
  await abandoned.reader.cancel("read enough");
  expect(left).toEqual(["read enough"]);
  expect(countTold()).toBe(0);
});

test("event streams end when the server stops, and a later one ends at once", async () => {
  const { connect, stop } = open();
  const { reader } = await connect();
  stop.abort();
  expect(await reader.read()).toMatchObject({ done: true });
  const late = open();
  late.stop.abort();
  await expect(late.connect()).rejects.toThrow("closed");
});

const breakOff = (controller: ReadableStreamDefaultController) => controller.error(new Error("broken off"));

test("HEAD of an event stream ends the stream at once", async () => {
  const { ask, countTold, left } = open();
  const { headers, status } = await ask("HEAD");
  expect([status, headers.get("Content-Type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  expect([left, countTold()]).toEqual([[undefined], 0]);

  const api = createApiUnderTest();
  const type = { "Content-Type": "text/event-stream" };
  api.get("/api/broken", () => new Response(new ReadableStream({ start: breakOff }), { headers: type }));
  expect(await createAppUnderTest({ api }).app.request("/api/broken", { method: "HEAD" })).toMatchObject({
    status: 200,
  });
});

test("a response that is no event stream goes on when the server stops", async () => {
  const { connect, stop } = open("text/csv");
  const { maker, reader } = await connect();
  stop.abort();
  maker.enqueue(new TextEncoder().encode("a row"));
  expect(await reader.read()).toMatchObject({ done: false });
});
