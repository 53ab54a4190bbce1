import { expect, test } from "vitest";
import * as z from "zod";
import { poolOverride, GuardedPool } from "../db/guarded-pool.ts";
import { withTimeLimit, currentTimeBudget } from "../db/time-budget.ts";
import { AppError } from "../errors.ts";
import { currentCaller } from "../fair-share/caller.ts";
import { createLog } from "../log/log.ts";
import { endpoint, ErrorBody } from "./contract.ts";
import { createCallScope, oncePerPage } from "./call-scope.ts";
import type { RestrictedAccess } from "./handle-call.ts";
import { route, type Caller } from "./endpoint.ts";
import { explainError } from "./explain-error.ts";
import { mountRoutes, type ApiBindings } from "./mount-routes.ts";

const main = { service: "main", summary: "", response: z.unknown() } as const;
const params = z.object({ id: z.string().min(3, "That id is too short.") });
const query = z.object({ page: z.coerce.number().optional() });
const headers = z.object({ "x-kind": z.string().optional() });
const body = z.object({ list: z.array(z.object({ name: z.string("Give it a name.") })), note: z.string().optional() });
const looked: string[] = [];
let counted = 0;
const count = () => oncePerPage("count", async () => (counted += 1));
/** Returns the caller whose turns the call takes, and whether its time at the database is over. */
const lookAround = async () => ({ turns: currentCaller(), isLate: currentTimeBudget()?.isOver });

const routes = [
  route(endpoint("GET /api/things/{id}", { ...main, access: "anyone", params, query, headers }), (given) =>
    Promise.resolve({ ...given, client: given.client.address }),
  ),
  route(endpoint("POST /api/things/{id}", { ...main, access: "anyone", params, body }), async (given) => given.body),
  route(endpoint("GET /api/mine", { ...main, access: "member" }), async ({ caller }) => caller),
  route(endpoint("POST /api/beat", { ...main, access: "node" }), async ({ caller }) => caller),
  route(endpoint("GET /api/counted", { ...main, access: "anyone" }), count),
  route(endpoint("POST /api/counted", { ...main, access: "anyone" }), count),
  ...(["anyone", "member", "administrator"] as const).map((access) =>
    route(endpoint(`GET /api/${access}`, { ...main, access }), lookAround),
  ),
  route(endpoint("POST /api/guarded", { ...main, service: "auth", access: "anyone" }), async () => "in"),
  route(endpoint("GET /api/broken", { ...main, access: "anyone" }), () => Promise.reject(new Error("secret"))),
  route(endpoint("POST /api/admitted", { ...main, access: "anyone", body: z.object({}) }), async () => "in", {
    async admit({ bodySize }) {
      if (bodySize > 10) throw new AppError("TOO_MANY_ATTEMPTS", "Too long.", { retryAfter: 7 });
    },
  }),
];

async function authenticate(credential: string, access: RestrictedAccess): Promise<Caller> {
  looked.push(`${access} ${credential}`);
  if (credential === "nobody") throw new AppError("UNAUTHENTICATED", "Your session has ended. Please sign in again.");
  return { userId: credential, isRefreshed: credential === "renewed" };
}

const logged: unknown[] = [];
const log = createLog({ level: "info", destination: { write: (line) => void logged.push(JSON.parse(line)) } });
const app = mountRoutes(routes, {
  authenticate,
  authApiKeys: ["the key", "the next key"],
  explain: (error) => explainError(error, log),
});

type Sent = { method?: string; headers?: Record<string, string>; body?: string };

async function ask(path: string, sent: Sent = {}, bindings: ApiBindings = {}) {
  const response = await app.request(`http://api.test${path}`, sent, bindings);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const JSON_TYPE: Record<string, string> = { "content-type": "application/json" };
const post = (sent: string, type = JSON_TYPE) => ({ method: "POST", headers: type, body: sent });

test("a handler receives its input in the contract's types, and the response is not cached", async () => {
  const answer = await ask("/api/things/abc?page=2&page=3&other=1", { headers: { "x-kind": "a" } });
  expect([answer.status, answer.headers.get("Cache-Control"), answer.headers.has("X-Auth-Event")]).toEqual([
    200,
    "no-store",
    false,
  ]);
  expect(answer.body).toEqual({ client: "", params: { id: "abc" }, query: { page: 2 }, headers: { "x-kind": "a" } });
  const list = [{ name: "Ada" }];
  const utf8 = { "content-type": "Application/JSON; charset=utf-8" };
  expect(await ask("/api/things/abc", post(JSON.stringify({ list, more: 1 }), utf8))).toMatchObject({ body: { list } });
});

test("accepts escaped characters, and text that only looks like an escape", async () => {
  const sent = '{"list":[{"name":"\\ud83d\\ude00"}],"note":"C:\\\\u0000\\\\ud800"}';
  expect(await ask("/api/things/abc", post(sent))).toMatchObject({
    status: 200,
    body: { list: [{ name: "😀" }], note: "C:\\u0000\\ud800" },
  });
});

const refusals: [name: string, path: string, sent: Sent, status: number, told: object][] = [
  [
    "an invalid parameter",
    "/api/things/ab",
    {},
    400,
    { message: "That id is too short.", fields: { id: ["That id is too short."] } },
  ],
  [
    "an invalid nested field",
    "/api/things/abc",
    post('{"list":[{"name":"a"},{}]}'),
    400,
    { error: "VALIDATION_ERROR", message: "Give it a name.", fields: { "list.1.name": ["Give it a name."] } },
  ],
  ["no JSON", "/api/things/abc", post("{"), 400, { error: "VALIDATION_ERROR", message: "The body is not valid JSON." }],
  [
    "the character U+0000",
    "/api/things/abc",
    post('{"list":[],"note":"\\u0000"}'),
    400,
    { error: "VALIDATION_ERROR", message: "The character U+0000 is not allowed." },
  ],
  ["U+0000 in a name", "/api/things/abc", post('{"list":[],"no\\u0000te":1}'), 400, { error: "VALIDATION_ERROR" }],
  [
    "half of a surrogate pair",
    "/api/things/abc",
    post('{"list":[],"note":"\\uD83D"}'),
    400,
    { error: "VALIDATION_ERROR", message: "Half of a character is not allowed: send well-formed Unicode." },
  ],
  ["a surrogate in a name", "/api/things/abc", post('{"list":[],"no\\udc00te":1}'), 400, { error: "VALIDATION_ERROR" }],
  ["U+0000 in the path", "/api/things/ab%00c", {}, 400, { message: "The character U+0000 is not allowed." }],
  ["U+0000 in a query", "/api/things/abc?page=%00", {}, 400, { message: "The character U+0000 is not allowed." }],
  [
    "another content type",
    "/api/things/abc",
    post("{}", { "content-type": "text/application/json" }),
    415,
    { error: "UNSUPPORTED_MEDIA_TYPE", message: "Send the body as application/json, in UTF-8." },
  ],
  ["no type", "/api/things/abc", { method: "POST" }, 415, { message: "Send the body as application/json, in UTF-8." }],
  ["nobody", "/api/mine", {}, 401, { error: "UNAUTHENTICATED", message: "Sign in first." }],
  [
    "an expired session",
    "/api/mine",
    { headers: { authorization: "Bearer nobody" } },
    401,
    { error: "UNAUTHENTICATED" },
  ],
  [
    "no key",
    "/api/guarded",
    { method: "POST" },
    401,
    { error: "INVALID_API_KEY", message: "This call needs a valid API key." },
  ],
  [
    "a wrong key",
    "/api/guarded",
    { method: "POST", headers: { "x-api-key": "the kez" } },
    401,
    { error: "INVALID_API_KEY" },
  ],
  [
    "a body that its route does not admit",
    "/api/admitted",
    // The body is not read. Otherwise the error would be that it is not JSON.
    post('{"a":1234567', { ...JSON_TYPE, "content-length": "12" }),
    429,
    { message: "Too long." },
  ],
  ["a body of unknown size", "/api/admitted", post("{}"), 429, { message: "Too long." }],
  [
    "an unexpected error",
    "/api/broken",
    {},
    500,
    { error: "INTERNAL_ERROR", message: "Something went wrong, please try again!" },
  ],
];

// specification: 7.1, 7.2
test.each(refusals)("%s is refused with a message for the caller", async (_, path, sent, status, told) => {
  expect(await ask(path, sent)).toMatchObject({ status, body: { ...told, statusCode: status } });
});

test("reports only the first 100 errors of a long list", async () => {
  const list = Array.from({ length: 1000 }, () => ({}));
  const { body, status } = await ask("/api/things/abc", post(JSON.stringify({ list })));
  const { fields = {}, message } = ErrorBody.parse(body);
  expect([status, message, Object.keys(fields).length]).toEqual([400, "Give it a name.", 100]);
});

test.each([
  ["DELETE", "/api/things/abc", "GET, HEAD, POST"],
  ["GET", "/api/guarded", "POST"],
])("rejects %s %s with 405 and the allowed methods", async (method, path, allowed) => {
  const { body, headers, status } = await ask(path, { method });
  expect([status, headers.get("Allow")]).toEqual([405, allowed]);
  expect(body).toMatchObject({ error: "METHOD_NOT_ALLOWED", message: "That method is not allowed here." });
});

test("accepts the API key, the key that will replace it, and a body that its route admits", async () => {
  for (const key of ["the key", "the next key"])
    expect(await ask("/api/guarded", { method: "POST", headers: { "x-api-key": key } })).toMatchObject({ body: "in" });
  expect(await ask("/api/admitted", post("{}", { ...JSON_TYPE, "content-length": "2" }))).toMatchObject({
    body: "in",
  });
});

test.each(["Bearer ada", "bearer ada"])("%s identifies the caller", async (authorization) => {
  expect(await ask("/api/mine", { headers: { authorization } })).toMatchObject({ body: { userId: "ada" } });
});

test.each(["ada", "Basic ada", "Bearer", "Bearer  ada", "Bearer ada eve", "xBearer ada"])(
  "%s identifies no caller",
  async (authorization) => {
    looked.length = 0;
    expect((await ask("/api/mine", { headers: { authorization } })).status).toBe(401);
    expect(looked).toEqual([]);
  },
);

test("calls queue by member, or else by client; an administrator's has no time limit at the database", async () => {
  const sent = { headers: { authorization: "Bearer ada" } };
  const scope = createCallScope("2001:db8::1");
  const look = async (access: string) => (await withTimeLimit(0, () => ask(`/api/${access}`, sent, { scope }))).body;
  expect(await look("anyone")).toEqual({ turns: "client 2001:db8:0:0", isLate: true });
  expect(await look("member")).toEqual({ turns: "member ada", isLate: true });
  expect(await look("administrator")).toEqual({ turns: "member ada", isLate: false });
});

test("the response says that the session was refreshed", async () => {
  const { headers } = await ask("/api/mine", { headers: { authorization: "Bearer renewed" } });
  expect(headers.get("X-Auth-Event")).toBe("TOKEN_REFRESHED");
});

test("the calls of a page look up a caller once per kind of access, and use the page's client address", async () => {
  looked.length = 0;
  const scope = createCallScope("203.0.113.7");
  const authorization = { authorization: "Bearer ada" };
  for (const path of ["/api/mine", "/api/mine"]) await ask(path, { headers: authorization }, { scope });
  await ask("/api/beat", { method: "POST", headers: authorization }, { scope });
  expect(looked).toEqual(["member ada", "node ada"]);
  expect(await ask("/api/things/abc", {}, { scope })).toMatchObject({ body: { client: "203.0.113.7" } });
  await ask("/api/mine", { headers: authorization });
  expect(looked).toHaveLength(3);
});

test("calls of one page read what they share only once, until one of them writes", async () => {
  const scope = createCallScope("203.0.113.7");
  const count = async (method: string, bindings: ApiBindings = { scope }) =>
    (await ask("/api/counted", { method }, bindings)).body;
  expect(await Promise.all([count("GET"), count("GET")])).toEqual([1, 1]);
  expect(await count("GET", {})).toBe(2);
  expect(await count("GET", { scope: createCallScope("203.0.113.7") })).toBe(3);
  expect(await count("POST")).toBe(4);
  expect(await Promise.all([count("GET"), count("GET")])).toEqual([5, 5]);
  // A call that fails may have written before it failed.
  await ask("/api/things/ab", post("{}"), { scope });
  expect(await count("GET")).toBe(6);
});

test("reads from the primary again what a page read from a replica, once the primary has to answer", async () => {
  const nowhere = new GuardedPool({}, () => ({ ok: true }), log);
  const detour = { from: nowhere, to: nowhere, open: true };
  const scope = createCallScope("203.0.113.7");
  const count = () => poolOverride.run(detour, async () => (await ask("/api/counted", {}, { scope })).body);
  const known = counted + 1;
  const answers = [await count(), await count()];
  detour.open = false;
  answers.push(await count(), await count());
  expect(answers).toEqual([known, known, known + 1, known + 1]);
});

test("logs only unexpected errors as errors", async () => {
  logged.length = 0;
  for (const path of ["/api/mine", "/api/broken", "/api/things/ab"]) await ask(path);
  expect(logged).toMatchObject([
    { level: "info", msg: "refused", code: "UNAUTHENTICATED" },
    { level: "error", msg: "Unexpected error", err: { message: "secret" } },
    { level: "info", msg: "refused", code: "VALIDATION_ERROR" },
  ]);
});
