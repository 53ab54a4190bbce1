import { expect, test } from "vitest";
import { DatabaseUnavailable } from "../db/unavailable.ts";
import { createApiUnderTest, createAppUnderTest, html } from "../../tests/support/servers/app-under-test.ts";

test.each(["/api", "/api/nothing", "/submissions", "/submissions/nothing", "/api/missing.json"])(
  "answers 404 as JSON to an unknown call to %s",
  async (path) => {
    const { app } = createAppUnderTest();
    for (const method of ["GET", "POST"]) {
      const response = await app.request(path, { method });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ message: "There is no such call.", error: "NOT_FOUND", statusCode: 404 });
    }
  },
);

test("a path that only starts like the API's renders a page", async () => {
  const { app } = createAppUnderTest();
  expect(await (await app.request("/apiary")).text()).toBe("<h1>Page</h1>");
});

const FOREIGN = { "sec-fetch-site": "cross-site" };

test.each<[string, RequestInit, number, string]>([
  ["/dashboard", { method: "PURGE" }, 405, "That method is not allowed."],
  [`/?q=${"a".repeat(9000)}`, {}, 414, "That address is too long."],
  ["/auth%00", {}, 400, "That address is not valid."],
  ["/auth", { method: "POST", headers: FOREIGN }, 403, "That request came from another site and was refused."],
  ["/profile", { method: "POST", body: "name=Ada" }, 415, "Pages take forms only."],
  [
    "/profile",
    { method: "POST", body: "x", headers: { "content-type": "multipart/form-data" } },
    400,
    "That form arrived damaged. Please send it again.",
  ],
])(
  "%s: a request that is refused before its handler says why, as a page and as text",
  async (path, init, status, told) => {
    const { app } = createAppUnderTest();
    const ask = async (accept: string) => {
      const headers = new Headers(init.headers);
      headers.set("accept", accept);
      const response = await app.request(path, { ...init, headers });
      return [response.status, response.headers.get("Content-Type"), await response.text()];
    };
    expect(await ask("*/*")).toEqual([status, "text/plain; charset=utf-8", `${told}\n`]);
    const page = await ask("text/html,*/*");
    expect(page).toEqual([status, "text/html; charset=utf-8", expect.stringContaining(`<h1>${told}</h1>`)]);
    // The refusal is the client's fault, so the page does not link to the status page.
    expect(page[2]).not.toContain("/status");
  },
);

test("an API call reaches its handler", async () => {
  const api = createApiUnderTest();
  api.get("/api/things/:id", (c) => c.json({ id: c.req.param("id") }));
  const response = await createAppUnderTest({ api }).app.request("/api/things/7");
  expect([await response.json(), response.headers.get("Content-Length")]).toEqual([{ id: "7" }, "10"]);
});

test("HEAD of a page or a call answers as GET does, without a body", async () => {
  const api = createApiUnderTest();
  api.get("/api/thing", (c) => c.json({ ok: true }));
  const methods: string[] = [];
  const pages = async (request: Request) => {
    methods.push(request.method);
    return html("<h1>Page</h1>");
  };
  const { app } = createAppUnderTest({ api, pages });
  for (const path of ["/auth", "/api/thing"]) {
    const [get, head] = await Promise.all([app.request(path), app.request(path, { method: "HEAD" })]);
    expect([head.status, await head.text()]).toEqual([get.status, ""]);
    expect(head.headers.get("Content-Length")).toBe(get.headers.get("Content-Length"));
  }
  expect(methods).toEqual(["GET", "GET"]);
});

const fail = () => Promise.reject(new TypeError("secret detail"));

test("an unexpected error answers 500 with the request's id, and its cause is only in the log", async () => {
  const api = createApiUnderTest();
  api.get("/api/broken", fail);
  const { app, logged } = createAppUnderTest({ api, pages: fail });

  const call = await app.request("/api/broken");
  expect([call.status, await call.json()]).toEqual([
    500,
    { message: "Something went wrong, please try again!", error: "INTERNAL_ERROR", statusCode: 500 },
  ]);

  const page = await app.request("/dashboard", { headers: { accept: "text/html" } });
  const text = await page.text();
  expect([page.status, page.headers.get("Content-Type")]).toEqual([500, "text/html; charset=utf-8"]);
  expect(text).toContain(`Request ${page.headers.get("X-Request-Id")}`);
  expect(text).not.toContain("secret detail");

  const causes = logged().filter(({ level }) => level === "error");
  expect(causes).toMatchObject([{ err: { message: "secret detail" } }, { err: { message: "secret detail" } }]);
  expect(causes[1]?.requestId).toBe(page.headers.get("X-Request-Id"));
});

test("shows an error page even if React Router cannot render its own", async () => {
  const { app } = createAppUnderTest({ pages: async () => new Response(null, { status: 500 }) });
  const response = await app.request("/dashboard", { headers: { accept: "text/html" } });
  const text = await response.text();
  expect(text).toContain("<h1>Something went wrong, please try again!</h1>");
  expect(text).toContain('See the <a href="/status">status page</a>');
});

const failToQuery = () => Promise.reject(new Error("query failed", { cause: new DatabaseUnavailable("no answer") }));

test("a page without an action answers POST with 405 and the allowed methods", async () => {
  const { app } = createAppUnderTest({ pages: async () => html("<h1>No</h1>", { status: 405 }) });
  const response = await app.request("/dashboard", { method: "POST" });
  expect([response.status, response.headers.get("Allow"), await response.text()]).toEqual([
    405,
    "GET, HEAD",
    "<h1>No</h1>",
  ]);
});

test("answers 503 with Retry-After if the database is unreachable", async () => {
  const { app } = createAppUnderTest({ pages: failToQuery });
  const response = await app.request("/dashboard", { headers: { accept: "text/html" } });
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await response.text()).toContain("<h1>The service is busy. Please try again in a moment.</h1>");
});

test.each([
  [{}, "5"],
  [{ "Retry-After": "60" }, "60"],
])("a page that answers 503 with %o sends a Retry-After of %s s", async (headers, after) => {
  const { app } = createAppUnderTest({ pages: async () => html("<h1>Later</h1>", { status: 503, headers }) });
  expect((await app.request("/dashboard")).headers.get("Retry-After")).toBe(after);
});

async function ask(path: string, app: Parameters<typeof createAppUnderTest>[0]) {
  const response = await createAppUnderTest(app).app.request(path);
  return [response.status, await response.json(), response.headers.get("Retry-After")];
}

const fine = async () => ({ ok: true }) as const;

test("/healthz needs only the process; /readyz also a database, a chain and no shutdown", async () => {
  const up = { reason: "database" as const, check: fine, checkChain: fine, isLeaving: () => false };
  const unreached = { ...up, checkChain: async () => ({ ok: false, reason: "No funds." }) as const };
  const down = { ...up, check: async () => ({ ok: false, reason: "disk full" }) as const };
  const leaving = { ...up, isLeaving: () => true };

  expect(await ask("/healthz", { health: down })).toEqual([200, { status: "ok" }, null]);
  expect(await ask("/readyz", { health: up })).toEqual([200, { status: "ok" }, null]);
  expect(await ask("/readyz", { health: down })).toEqual([
    503,
    { status: "unavailable", reason: "database", detail: "disk full" },
    "5",
  ]);
  expect(await ask("/readyz", { health: unreached })).toEqual([
    503,
    { status: "unavailable", reason: "chain", detail: "No funds." },
    "5",
  ]);
  expect(await ask("/readyz", { health: leaving })).toEqual([
    503,
    { status: "unavailable", reason: "shutting down" },
    "5",
  ]);
});
