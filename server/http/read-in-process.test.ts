import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { BY_OPERATOR } from "../../tests/support/api/administration.ts";
import { seedRichMember } from "../../tests/support/seeds/rich-member.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { addAdministrator } from "../administration/service.ts";
import { createCallScope } from "./call-scope.ts";

const database = await createTestDatabase();
afterAll(() => database.close());
const api = createTestApi(database, { now: createTestClock(new Date()).now });
const { ids, token, user } = await seedRichMember(api);
await addAdministrator(api.deps, BY_OPERATOR, { member: user.id });

type Operation = { responses: Record<string, { content?: Record<string, unknown> }> };
type Document = { paths: Record<string, Record<string, Operation>> };

const CLIENT = "203.0.113.9";
/** The values for parameters in paths, so that there is something to read. */
const NAMED: Record<string, string> = { id: ids.entry, tokenId: "1", version: "1" };
/** A response that differs for each request, and a file. */
const OTHERS = new Set(["/api/auth/bot-check", "/api/users/data-export"]);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's own document
const document = (await (await api.fetch(new Request("http://api.test/api/openapi.json"))).json()) as Document;
const reads = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get && "application/json" in (get.responses[200]?.content ?? {}) && !OTHERS.has(path) ? [path] : [],
);

type Asked = { credential?: string; params?: Record<string, string>; query?: Record<string, string> };

/** Makes the same read over HTTP and in this process. */
async function readBothWays(path: string, { credential, query = {}, ...asked }: Asked = {}) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = { ...Object.fromEntries(names.map((name) => [name, NAMED[name] ?? "x"])), ...asked.params };
  const headers: Record<string, string> = credential ? { authorization: `Bearer ${credential}` } : {};
  const overHttp = await api.call(`GET ${path}` as `GET /${string}`, { params, query, headers, clientAddress: CLIENT });
  const inProcess = await api.readWithin({ path, params, query, headers }, createCallScope(CLIENT));
  return { overHttp, inProcess };
}

test("finds enough reads to compare", () => {
  expect(reads.length).toBeGreaterThan(40);
});

// Compares the value itself, not its JSON: a date that only becomes text in JSON would be a difference.
test.each(reads)("reads %s in this process with the same result as over HTTP", async (path) => {
  const { inProcess, overHttp } = await readBothWays(path, { credential: token });
  expect(inProcess).toEqual({ status: overHttp.status, body: overHttp.body, headers: {} });
});

const refused: [name: string, path: string, asked: Asked, status: number][] = [
  ["nobody", "/api/users/stats", {}, 401],
  ["an expired session", "/api/users/stats", { credential: "nodebeat_gone" }, 401],
  ["an invalid parameter", "/api/users/points-log/{id}", { credential: token, params: { id: "x" } }, 400],
  ["a query out of bounds", "/api/users/points-log", { credential: token, query: { limit: "0" } }, 400],
  ["the character U+0000", "/api/users/points-log", { credential: token, query: { page: "\0" } }, 400],
];

test.each(refused)("refuses %s in this process as over HTTP", async (_, path, asked, status) => {
  const { inProcess, overHttp } = await readBothWays(path, asked);
  expect(inProcess).toMatchObject({ status, body: overHttp.body });
  expect(overHttp.status).toBe(status);
  for (const [name, value] of Object.entries(inProcess.headers)) expect(overHttp.headers.get(name)).toBe(value);
});

test("answers 404 in this process to files, streams, writes and unknown calls", async () => {
  for (const path of ["/api/users/data-export", "/api/events", "/api/users/onboard", "/api/nothing"])
    expect((await api.readWithin({ path, params: {}, query: {}, headers: {} }, createCallScope(CLIENT))).status).toBe(
      404,
    );
});
