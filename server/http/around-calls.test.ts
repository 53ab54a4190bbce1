import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import { sendRaw, startUnderTest } from "../../tests/support/servers/listen-under-test.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createApi } from "../api.ts";
import { isApiPath } from "./http-env.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const Responses = z.record(z.string(), z.unknown());

const { components, paths } = z
  .object({
    components: z.object({ responses: Responses }),
    paths: z.record(z.string(), z.record(z.string(), z.object({ responses: Responses }))),
  })
  .parse(await (await api.fetch(new Request("http://api.test/api/openapi.json"))).json());

const LONG = "x".repeat(9000);

test.each([
  ["another method", "PATCH /api/users/profile", "", 405],
  ["an unknown method", "TRACE /api/users/profile", "", 405],
  ["an address that is too long", `POST /api/users/profile?${LONG}`, "", 414],
  ["two hosts", "POST /api/users/profile", "Host: b\r\n", 400],
  ["an expectation", "POST /api/users/profile", "Expect: a miracle\r\n", 417],
  ["headers that are too long", "POST /api/users/profile", `X-Long: ${LONG}${LONG}\r\n`, 431],
  ["another site", "POST /api/users/profile", "Cookie: session=1\r\nSec-Fetch-Site: cross-site\r\n", 403],
])("%s is refused before the handler, as the API document describes", async (_, asked, header, status) => {
  const { http } = createApi(api.deps);
  const { url, drain } = await startUnderTest({ api: http });
  const answer = await sendRaw(url, `${asked} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n`);
  await drain(0);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));

  const described = JSON.stringify(paths["/api/users/profile"]?.post?.responses[status] ?? null).replace(
    /^\{"\$ref":"#\/components\/responses\/(\w+)"\}$/,
    (_ref, name: string) => JSON.stringify(components.responses[name]),
  );
  const code = /"error":"(\w+)"/.exec(answer)?.[1];
  expect(described).toMatch(code ? `"${code}"` : /^\{"description":"[^"]+"\}$/);
});

test("isApiPath recognizes the path of every call", () => {
  expect(Object.keys(paths).filter((path) => !isApiPath(path))).toEqual([]);
});

test.each(Object.keys(paths))("%s allows the methods that the API document describes, and lists them", async (path) => {
  const address = `http://api.test${path.replaceAll(/\{\w+\}/g, "x")}`;
  const { headers, status } = await api.fetch(new Request(address, { method: "PATCH" }));
  const described = Object.keys(paths[path] ?? {}).flatMap((verb) =>
    verb === "get" ? ["GET", "HEAD"] : [verb.toUpperCase()],
  );
  expect([status, headers.get("Allow")?.split(", ").toSorted()]).toEqual([405, described.toSorted()]);
});

test("refusals send the headers that the API document describes", async () => {
  for (const [method, status, name] of [
    ["GET", 401, "WWW-Authenticate"],
    ["PATCH", 405, "Allow"],
  ] as const) {
    const answer = await api.fetch(new Request("http://api.test/api/users/profile", { method }));
    expect([answer.status, answer.headers.has(name)]).toEqual([status, true]);
  }
  expect(paths["/api/users/profile"]?.get?.responses[401]).toHaveProperty(["headers", "WWW-Authenticate"]);
  expect(components.responses.Status405).toHaveProperty(["headers", "Allow"]);
});

test("the API document allows only GET and HEAD", async () => {
  const { headers, status } = await api.fetch(new Request("http://api.test/api/openapi.json", { method: "POST" }));
  expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

const reads = Object.keys(paths).filter((path) => paths[path]?.get);

test.each(reads)("%s is found through the whole server, even without signing in", async (path) => {
  const { http } = createApi(api.deps);
  const { app } = createAppUnderTest({ api: http });
  expect(await (await app.request(path)).text()).not.toMatch(/There is no such (?:call|file)/);
});
