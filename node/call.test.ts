import { getDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serveLocally } from "../tests/support/servers/serve-locally.ts";
import { issueBotCheck } from "../server/auth/contract.ts";
import { registerDevice } from "../server/heartbeats/contract.ts";
import { CallFailed, createCaller } from "./call.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server that gives every call the same answer. */
async function startServer(answer: Answer) {
  const server = createServer((request, response) => answer(response, request));
  const { url, close } = await serveLocally(server);
  onTestFinished(close);
  return url;
}

beforeEach(() => {
  for (const name of ["HTTP_PROXY", "http_proxy", "NODE_USE_ENV_PROXY"]) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

const signal = new AbortController().signal;

/** Returns why a call fails, with `URL` instead of the address that was called. */
async function fail(answer: Answer, timeout = 60_000) {
  const url = await startServer(answer);
  const error: unknown = await createCaller({ url, signal, timeout })(issueBotCheck).catch((reason: unknown) => reason);
  if (!(error instanceof CallFailed)) throw new Error("It has to fail as a call does", { cause: error });
  const { code, isTemporary, retryAfter, status } = error;
  return { message: error.message.replaceAll(url, "URL"), status, code, retryAfter, isTemporary };
}

const send =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));

test("gives each address of the server 2.5 s to connect before it tries the next one", () => {
  createCaller({ url: "https://nodebeat.example", signal, timeout: 60_000 });
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(2_500);
});

test("sends each credential only to the routes that need it", async () => {
  const received: object[] = [];
  const url = await startServer((response, request) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { authorization, "content-type": type, "x-api-key": apiKey } = request.headers;
      received.push({ line: `${request.method} ${request.url}`, authorization, type, apiKey, body });
      response.end(JSON.stringify({ turnstileToken: "t", deviceId: "d", deviceKey: "k" }));
    });
  });
  const call = createCaller({ url, signal, timeout: 60_000, apiKey: "api key" });

  await call(issueBotCheck);
  await call(registerDevice, { token: "secret", body: { name: "attic" } });
  await createCaller({ url, signal, timeout: 60_000 })(issueBotCheck);

  const nothing = { authorization: undefined, type: undefined, apiKey: undefined, body: "" };
  expect(received).toEqual([
    { ...nothing, line: "GET /api/auth/bot-check", apiKey: "api key" },
    {
      line: "POST /api/heartbeats/devices",
      authorization: "Bearer secret",
      type: "application/json",
      apiKey: undefined,
      body: '{"name":"attic"}',
    },
    { ...nothing, line: "GET /api/auth/bot-check" },
  ]);
});

const REFUSAL = { message: "Not like\u001B\nthis.", error: "VALIDATION_ERROR", statusCode: 400 };

test.each([
  [400, {}, { retryAfter: undefined, isTemporary: false }],
  [400, { "Retry-After": "7" }, { retryAfter: 7, isTemporary: true }],
  [400, { "Retry-After": "Wed, 25 Nov 2026 12:00:00 GMT" }, { retryAfter: undefined, isTemporary: false }],
  [401, {}, { retryAfter: undefined, isTemporary: false }],
  [408, {}, { retryAfter: undefined, isTemporary: true }],
  [429, {}, { retryAfter: undefined, isTemporary: true }],
  [499, {}, { retryAfter: undefined, isTemporary: false }],
  [500, {}, { retryAfter: undefined, isTemporary: true }],
  [503, { "Retry-After": "30" }, { retryAfter: 30, isTemporary: true }],
])("passes on the server's message for %i with %o, and whether to retry", async (status, headers, outcome) => {
  expect(await fail(send(status, REFUSAL, headers))).toEqual({
    // One line, without any control sequence for the terminal.
    message: "Not like this.",
    code: "VALIDATION_ERROR",
    status,
    ...outcome,
  });
});

test.each([
  [
    "status 404 and an HTML page",
    send(404, "<!doctype html>"),
    "URL answered 404, which is not an answer from Nodebeat",
    404,
    false,
  ],
  ["other JSON", send(403, { oops: true }), "URL answered 403, which is not an answer from Nodebeat", 403, false],
  ["a bad gateway", send(502, "Bad Gateway"), "URL answered 502, which is not an answer from Nodebeat", 502, true],
  [
    "status 200 and an HTML page",
    send(200, "<!doctype html>"),
    "URL answered with something that is not from Nodebeat",
    undefined,
    true,
  ],
  [
    "JSON of another shape",
    send(200, { token: 1 }),
    "URL did not answer /api/auth/bot-check as Nodebeat does",
    502,
    true,
  ],
  [
    "a redirect to another address",
    send(308, "", { Location: "https://new.example/api" }),
    "URL has moved: use https://new.example",
    308,
    false,
  ],
  [
    "a redirect to an invalid address",
    send(308, "", { Location: "https://[" }),
    "URL answered 308, which is not an answer from Nodebeat",
    308,
    false,
  ],
  [
    "a redirect without an address",
    send(308, ""),
    "URL answered 308, which is not an answer from Nodebeat",
    308,
    false,
  ],
  [
    "an error with a Location header",
    send(404, "", { Location: "https://new.example" }),
    "URL answered 404, which is not an answer from Nodebeat",
    404,
    false,
  ],
  ["half a response", cutOff, "the answer of URL was cut off", undefined, true],
  ["nothing", hangUp, "no answer from URL", undefined, true],
])("explains an unusable answer: %s", async (_, answer, message, status, isTemporary) => {
  expect(await fail(answer)).toEqual({ message, status, code: undefined, retryAfter: undefined, isTemporary });
});

test("names a proxy that Node ignores and says how to use it", async () => {
  vi.stubEnv("HTTPS_PROXY", "http://proxy.example");
  expect(await fail(hangUp)).toMatchObject({ message: "no answer from URL" });
  vi.stubEnv("http_proxy", "http://proxy.example");
  const message = expect.stringMatching(/^no answer from URL without the proxy in http_proxy: .*NODE_USE_ENV_PROXY=1/);
  expect(await fail(hangUp)).toMatchObject({ message, isTemporary: true });
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  expect(await fail(hangUp)).toMatchObject({ message: "no answer from URL" });
});

test("reports a response that takes too long as no answer", async () => {
  expect(await fail(() => {}, 1)).toMatchObject({ message: "no answer from URL", isTemporary: true });
});

test("stops reading a response without an end before it fills the memory", async () => {
  let sent = 0;
  const piece = Buffer.alloc(64 * 1024, " ");
  const flood: Answer = (response) => {
    const go = () => {
      sent += piece.length;
      if (response.write(piece)) setImmediate(go);
    };
    response.on("drain", go);
    go();
  };
  expect(await fail(flood)).toMatchObject({ message: "the answer of URL was cut off", isTemporary: true });
  // This includes what is under way, besides what was read.
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

test("rejects with the reason of an abort, before a response and in the middle of one", async () => {
  for (const begin of [() => {}, (response: ServerResponse) => void response.writeHead(200).write("{")]) {
    const stop = new AbortController();
    const url = await startServer((response) => {
      begin(response);
      stop.abort(new Error("stopped"));
    });
    await expect(createCaller({ url, signal: stop.signal, timeout: 60_000 })(issueBotCheck)).rejects.toThrow("stopped");
  }
});

function cutOff(response: ServerResponse) {
  response.writeHead(200, { "Content-Length": "100" }).write('{"turnstileToken":', () => response.destroy());
}

function hangUp(response: ServerResponse) {
  response.destroy();
}
