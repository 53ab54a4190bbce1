import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { runCommand } from "./command.ts";
import { listenForOperations } from "./control-server.ts";
import type { OpsDeps } from "./operation.ts";

const SECRETS = ["the secret of today, long enough for a key", "the secret of before, long enough for a key"] as const;

const database = await createTestDatabase();
const deps = createTestDeps(database);
afterAll(() => database.close());

/** Starts a server. Returns a function that stops it, and the command of its operator. */
async function start(secrets: OpsDeps["secrets"] = async () => SECRETS) {
  const dataDir = await mkdtemp(join(tmpdir(), "nodebeat-ops-"));
  const stop = await listenForOperations({ ...deps, secrets }, dataDir);
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true });
  });
  async function ops(...args: string[]) {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
    return { status: await runCommand(args, { DATA_DIR: dataDir }, terminal), out, err };
  }
  return { ops, stop };
}

test("writes progress to stderr, so that the result on stdout stays JSON", async () => {
  const { ops } = await start();
  const { user } = await seedMember(deps);
  await deps.db.execute(sql`insert into points_totals (user_id, others) values (${user.id}, 12)`);
  const difference = JSON.stringify([`points_totals of ${user.id}: others 12 should be 0`]);
  const err = ["Comparing heartbeat_totals with what it sums (1 of 5)."];

  expect(await ops("ledger", "check", "--json")).toEqual({ status: 1, out: [difference], err });
  const why = ["--reason", "Agreed with the team"];
  expect(await ops("ledger", "rebuild", "--json", ...why)).toEqual({ status: 0, out: [difference], err });
  const rotated = await ops("secrets", "rotate", "--json");
  expect(rotated).toMatchObject({ status: 0, err: ["Looked at queued emails: 0."] });
  expect(JSON.parse(rotated.out.join("\n"))).toMatchObject({ secrets: 2 });
});

test.each([
  ["U+2028", "\u2028"],
  ["U+2029", "\u2029"],
])("reads a result that has %s in its text, which JSON does not escape", async (_, lineBreak) => {
  const { ops } = await start();
  const title = `Mail is slow.${lineBreak}We are on it.`;
  const opened = await ops("incidents", "open", title, "--text", title, "--reason", "Pager", "--json");
  expect(opened).toMatchObject({ status: 0, err: [] });
  expect(JSON.parse(opened.out.join("\n"))).toMatchObject({ title, updates: [{ text: title }] });
});

test("fails if the server ends before it reports a result", async () => {
  const { ops, stop } = await start(async () => {
    void stop();
    return Promise.withResolvers<typeof SECRETS>().promise;
  });
  expect(await ops("secrets", "rotate")).toEqual({
    status: 1,
    out: [],
    err: ["The server ended before it reported a result. See what was done before you give the command again."],
  });
});

test("refers to the server's log after an unexpected error", async () => {
  const { ops } = await start(async () => {
    throw new Error("Nobody expected this");
  });
  expect(await ops("secrets", "status")).toEqual({
    status: 1,
    out: [],
    err: ["Something went wrong: the server's log says what. See what was done before you give the command again."],
  });
});
