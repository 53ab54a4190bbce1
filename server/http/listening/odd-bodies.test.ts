import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, expect, test } from "vitest";
import * as z from "zod";
import { createLog } from "../../log/log.ts";
import { html } from "../../../tests/support/servers/app-under-test.ts";
import { endpoint } from "../contract.ts";
import { route } from "../endpoint.ts";
import { mountRoutes } from "../mount-routes.ts";
import { explainError } from "../explain-error.ts";
import { openRawClient, sendRaw, startUnderTest } from "../../../tests/support/servers/listen-under-test.ts";

const call = { access: "anyone", summary: "", response: z.unknown() } as const;
const body = z.object({ name: z.string() });
const routes = [
  route(endpoint("POST /api/named", { ...call, body }), async (given) => given.body),
  route(endpoint("POST /api/bare", call), async () => ({ done: true })),
  route(endpoint("DELETE /api/named", { ...call, body }), async (given) => given.body),
  route(endpoint("DELETE /api/gone", call), async () => ({ done: true })),
];
const spare = createLog({ level: "silent", destination: { write: () => {} } });
const api = mountRoutes(routes, {
  authenticate: () => Promise.reject(new Error("Nobody signs in here")),
  authApiKeys: [],
  explain: (error, log = spare) => explainError(error, log),
});
const pages = async (request: Request) =>
  html(request.method === "GET" ? "read" : JSON.stringify(Object.fromEntries(await request.formData())));

const { url, logged, drain } = await startUnderTest({ api, pages });
afterAll(() => drain(0));
let seen = 0;
afterEach(() => {
  const lines = logged().slice(seen);
  seen += lines.length;
  // oxlint-disable-next-line vitest/no-standalone-expect -- checked after every test: none of it is our fault
  expect(lines.filter(({ level }) => level !== "info" && level !== "debug")).toEqual([]);
});

const NO_TYPE = "";
const FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
const PARTS = "Content-Type: multipart/form-data; boundary=x\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const TEXT = "Content-Type: text/plain\r\n";

const EMPTY = "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
const EXTENDED = "Transfer-Encoding: chunked\r\n\r\n0;a=b\r\nX-Trailer: 1\r\n\r\n";
const NOTHING = "Content-Length: 0\r\n\r\n";

const statusOf = (answer: string) => Number(answer.slice(9, 12));
const ask = async (method: string, path: string, rest: string) =>
  statusOf(await sendRaw(url, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest}`));

test.each([
  ["/profile", NO_TYPE, 200],
  ["/profile", FORM, 200],
  ["/profile", PARTS, 400],
  ["/profile", JSON_TYPE, 415],
  ["/profile", TEXT, 415],
  ["/api/bare", NO_TYPE, 200],
  ["/api/bare", FORM, 200],
  ["/api/bare", PARTS, 200],
  ["/api/bare", JSON_TYPE, 200],
  ["/api/named", NO_TYPE, 415],
  ["/api/named", FORM, 415],
  ["/api/named", PARTS, 415],
  ["/api/named", JSON_TYPE, 400],
  ["/api/nothing", JSON_TYPE, 404],
  ["/submissions/nothing", NO_TYPE, 404],
])("an empty body sent to %s with %j answers %i, chunked or with a length", async (path, type, status) => {
  for (const empty of [EMPTY, EXTENDED, NOTHING]) expect(await ask("POST", path, `${type}${empty}`)).toBe(status);
});

const IN_CHUNKS = "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n";
const WITH_LENGTH = "Content-Length: 1\r\n\r\nx";

test.each(["GET", "HEAD"])("ignores the body of %s and renders the page", async (method) => {
  for (const rest of [EMPTY, NOTHING, IN_CHUNKS, WITH_LENGTH]) expect(await ask(method, "/profile", rest)).toBe(200);
});

test("DELETE with an empty body answers 405 on a route without DELETE", async () => {
  for (const rest of [EMPTY, NOTHING]) expect(await ask("DELETE", "/api/bare", rest)).toBe(405);
});

test("reads the body of DELETE only if the route has one", async () => {
  for (const rest of [IN_CHUNKS, WITH_LENGTH]) {
    const answers = ["/api/bare", "/profile", "/api/gone", "/api/named"].map((path) => ask("DELETE", path, rest));
    expect(await Promise.all(answers)).toEqual([405, 405, 200, 415]);
  }
  const named = `${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\ne\r\n{"name":"Ada"}\r\n0\r\n\r\n`;
  expect(await sendRaw(url, `DELETE /api/named HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${named}`)).toContain(
    `{"name":"Ada"}`,
  );
});

test("a chunked body with extensions and trailers arrives whole", async () => {
  const chunks = "Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nname=\r\n3\r\nAda\r\n0\r\nX-Trailer: 1\r\n\r\n";
  const request = `POST /profile HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${FORM}${chunks}`;
  expect(await sendRaw(url, request)).toContain(`{"name":"Ada"}`);
});

test("rejects a chunk without a valid length", async () => {
  expect(await ask("POST", "/profile", `${FORM}Transfer-Encoding: chunked\r\n\r\nzz\r\nname=\r\n`)).toBe(400);
});

const readStatuses = (of: string) =>
  logged().flatMap(({ msg, path, status }) => (msg === "request" && path === of ? [status] : []));

test.each([
  ["/cut-off", FORM],
  ["/api/named", FORM],
  ["/api/named", JSON_TYPE],
])("an aborted body to %s with %j logs no error", async (path, type) => {
  const before = readStatuses(path).length;
  for (const rest of ["Content-Length: 20\r\n\r\nname", "Transfer-Encoding: chunked\r\n\r\n14\r\nname"]) {
    const { socket, closed } = await openRawClient(url);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${type}${rest}`, () => socket.end());
    await closed;
  }
  await expect.poll(() => readStatuses(path).slice(before)).toEqual([400, 400]);
  // The next request is handled after both of them, so anything that they would log has been logged.
  await ask("GET", "/profile", "\r\n");
});

test.each([
  ["/profile", FORM],
  ["/api/named", JSON_TYPE],
])("a client that sends all of a body to %s that is too large still reads the 413 response", async (path, type) => {
  const size = 8 * 1024 * 1024;
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${type}Content-Length: ${size}\r\n\r\n`;
  const { promise: sent, resolve, reject } = Promise.withResolvers<void>();
  socket.once("error", reject);
  socket.write(`${head}${"x".repeat(size)}`, () => resolve());
  await sent;
  const answer = await text(socket);
  expect(statusOf(answer)).toBe(413);
  expect(answer).toContain("Send at most 64 kB.");
});

test("answers 400 to deeply nested JSON and to JSON with many names", async () => {
  const deep = "[".repeat(30_000) + "]".repeat(30_000);
  const wide = `{${Array.from({ length: 6_000 }, (_, index) => `"${index}":1`).join(",")}}`;
  for (const text of [deep, wide])
    expect(await ask("POST", "/api/named", `${JSON_TYPE}Content-Length: ${text.length}\r\n\r\n${text}`)).toBe(400);
});
