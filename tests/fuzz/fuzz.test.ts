import { afterAll, expect, test } from "vitest";
import { createLog } from "../../server/log/log.ts";
import { registerDevice } from "../../server/heartbeats/contract.ts";
import { createCallScope } from "../../server/http/call-scope.ts";
import { createTestApi, seedMember } from "../support/api/api.ts";
import { createTestDatabase } from "../support/database/test-database.ts";
import { seedAdministrator } from "../support/api/administration.ts";
import { findForms } from "./forms.ts";
import { fuzz, type Send } from "./fuzz.ts";
import { apiInputs, formInput, type ApiDocument } from "./inputs.ts";
import { findErrors } from "./judge.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const document = (await (await api.fetch(new Request("http://api.test/api/openapi.json"))).json()) as ApiDocument;
const inputs = apiInputs(document);

/** Response times do not count here: the command checks them. */
const send: Send = async ({ body, method, path }, headers) => {
  const given = { method, headers, body };
  const request = new Request(`http://api.test${path}`, given);
  const response = await api.fetchWithin(request, createCallScope(headers["X-Forwarded-For"] ?? ""));
  return { status: response.status, headers: response.headers, text: await response.text(), milliseconds: 0 };
};

const as = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` });

async function createCallers() {
  const [member, administrator] = [await seedMember(api.deps), await seedAdministrator(api.deps)];
  const { deviceKey } = await api.read(registerDevice, { token: member.token, body: { name: "Attic" } });
  return {
    nobody: {},
    member: as(member),
    administrator: as(administrator),
    node: as({ token: deviceKey }),
    garbage: { Authorization: "Bearer %" },
  };
}

const WELL = { status: 200, headers: new Headers(), text: "", milliseconds: 0 };

const run = (through: Send, secrets: string[] = [], count = 400) =>
  fuzz({ inputs, count, seed: 1, send: through, callers: createCallers, secrets });

test("the API answers any input, and reveals neither internals nor other members' data", async () => {
  const other = await seedMember(api.deps);
  const { findings, statuses } = await run(send, [other.user.email, other.user.id, other.token]);
  expect(findings).toEqual([]);
  // Some inputs also get past the first validation.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
});

test("the same seed sends the same calls", async () => {
  const sent: string[][] = [[], []];
  for (const list of sent)
    await run(async (input) => {
      list.push(JSON.stringify(input));
      return WELL;
    });
  expect(sent[0]).toHaveLength(400);
  expect(sent[0]).toEqual(sent[1]);
});

const DEFECTS: [what: string, told: Partial<Awaited<ReturnType<Send>>>, problem: RegExp][] = [
  ["fails", { status: 500 }, /^answered 500$/],
  ["is always unavailable", { status: 503 }, /^answered 503$/],
  ["reveals a stack trace", { status: 400, text: "    at read (/srv/server/api.ts:12:3)" }, /tells of its insides/],
  ["reveals an SQL query", { status: 400, text: 'Failed query: select "id" from users' }, /tells of its insides/],
  ["reveals another member", { text: "somebody@else.test" }, /tells what is somebody else's/],
  ["takes too long", { milliseconds: 2001 }, /^took 2001 ms$/],
];

test.each(DEFECTS)("reports a call that %s", async (_, told, problem) => {
  const { findings } = await run(
    async ({ path }) => (path.startsWith("/api/users/points-log?") ? { ...WELL, ...told } : WELL),
    ["somebody@else.test"],
    1500,
  );
  expect(findings.flatMap(({ problems }) => problems).filter((each) => problem.test(each)).length).toBeGreaterThan(0);
});

test("finds the errors in a server's log", () => {
  let text = "";
  const log = createLog({ level: "info", destination: { write: (line) => void (text += line) } });
  for (const level of ["info", "warn", "error", "fatal"] as const) log[level](`a line of the level ${level}`);
  expect(findErrors(`The server is ready\n${text}`)).toEqual([
    expect.stringContaining("of the level error"),
    expect.stringContaining("of the level fatal"),
  ]);
});

test("finds the forms of a page with their fields", () => {
  const html =
    '<form method="post" action="/a?b&amp;c"><input name="email"><button name="intent" value="go">Go</button></form>';
  const [form] = findForms(html, "/auth");
  expect(form).toEqual({
    method: "POST",
    action: "/a?b&c",
    fields: [
      ["email", ""],
      ["intent", "go"],
    ],
  });
  expect(findForms("<form></form>", "/auth")).toEqual([{ method: "GET", action: "/auth", fields: [] }]);
  expect(form && formInput(form)).toBeDefined();
});
