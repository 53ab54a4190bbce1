import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { runAsCaller, currentCaller } from "../../fair-share/caller.ts";
import { SILENT } from "../../../tests/support/api/api.ts";
import { createApiUnderTest, createAppUnderTest } from "../../../tests/support/servers/app-under-test.ts";
import { FileResponse } from "./file-response.ts";
import { listen } from "../listening/listen.ts";

const encoder = new TextEncoder();
const line = "2026-11-20T12:00:00.000Z,Connectivity,25,Heartbeat\r\n";

function fileOf(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>, report: (error: Error) => void = () => {}) {
  return new FileResponse({ name: "rows.csv", mediaType: "text/csv", chunks }).toResponse(report);
}

/** Starts a whole server with a file at `/api/file`. */
async function serve(answer: () => Response) {
  const api = createApiUnderTest();
  api.get("/api/file", answer);
  const { app } = createAppUnderTest({ api });
  const { drain, url } = await listen(app, { port: 0, host: "127.0.0.1", log: SILENT, headers: {} });
  onTestFinished(async () => void (await drain(0)));
  return `${url}/api/file`;
}

async function download(url: string, encoding: string) {
  const [response] = (await once(get(url, { headers: { "Accept-Encoding": encoding } }), "response")) as [
    IncomingMessage,
  ];
  const chunks: Buffer[] = [];
  const read = async () => {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  };
  const failure = await read().catch((error: unknown) => error);
  return { response, failure, body: Buffer.concat(chunks) };
}

async function* breakOff() {
  yield encoder.encode(line.repeat(5000));
  await setImmediate();
  throw new Error("The database is gone");
}

test.each(["identity", "gzip"])("a file that breaks off does not end like a complete one: %s", async (encoding) => {
  // The HTTP adapter logs the failure, too. Its message must not reveal the cause.
  const said = vi.spyOn(console, "error").mockReturnValue();
  const reported: Error[] = [];
  const url = await serve(() => fileOf(breakOff(), (error) => void reported.push(error)));

  const { body, failure, response } = await download(url, encoding);

  expect([failure, response.complete]).toMatchObject([{ code: "ECONNRESET" }, false]);
  expect(body.toString()).not.toContain("database");
  expect(reported).toMatchObject([{ message: "The database is gone" }]);
  expect(said.mock.calls).toMatchObject([[{ message: "The file broke off." }]]);
});

test("sends a file while it is produced, compressed", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  async function* waitForReader() {
    yield encoder.encode(line.repeat(10));
    // Never produced if a layer above waited for the whole file.
    await arrived;
    yield encoder.encode(line);
  }
  const url = await serve(() => fileOf(waitForReader()));

  const [response] = (await once(get(url, { headers: { "Accept-Encoding": "gzip" } }), "response")) as [
    IncomingMessage,
  ];
  response.once("data", () => resolve());
  const body = Buffer.concat((await response.toArray()) as Buffer[]);

  expect(response.headers["content-encoding"]).toBe("gzip");
  expect(response.headers["content-disposition"]).toBe('attachment; filename="rows.csv"');
  expect(gunzipSync(body).toString()).toBe(line.repeat(11));
});

test("produces no more of a file than is read, even if all of it is available at once", async () => {
  let made = 0;
  async function* makeMany() {
    for (; made < 1000; made++) yield encoder.encode(line.repeat(1000));
  }
  const api = createApiUnderTest();
  api.get("/api/file", () => fileOf(makeMany()));
  const { app } = createAppUnderTest({ api });

  const response = await app.request("/api/file", { headers: { "Accept-Encoding": "gzip" } });

  expect(made).toBeLessThan(10);
  await response.body?.cancel();
});

test("produces a file on behalf of its caller, whatever code reads it", async () => {
  const callers: string[] = [];
  async function* note() {
    callers.push(currentCaller());
    yield encoder.encode(line);
  }
  const file = runAsCaller("ada", () => fileOf(note()));
  // The stream has begun on her behalf. From here on, other code reads it.
  await setImmediate();
  expect([await file.text(), callers]).toEqual([line, ["ada"]]);
});

test("stops producing a file once its reader cancels", async () => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield encoder.encode(line);
    } finally {
      ended = true;
    }
  }
  const reader = fileOf(endless()).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(ended).toBe(true);
});
