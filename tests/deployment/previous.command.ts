import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { OPERATOR } from "../../server/administration/actor.ts";
import { openDatabase } from "../../server/db/client.ts";
import { partitionTable } from "../../server/months/partition.ts";
import { LEDGER } from "../../server/points/ledger/monthly.ts";
import { PUBLIC_URL, startInstallation } from "./installation.ts";
import { findProblems } from "./its-own-tests.ts";
import { INTERVAL_SECONDS } from "./mix.ts";
import { createNetwork, type TrafficMember } from "./network.ts";
import { PREVIOUS, SET_ASIDE } from "./previous-version.ts";
import { startTraffic } from "./traffic.ts";
import { checkWrites } from "./writes.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import type { TestResults } from "../support/results-reporter.ts";
import { expect } from "../bench/expect.ts";

/*
 * Checks that the previous version keeps working while this one is rolled out: builds it, starts it on a database with
 * this version's schema, and uses it. Then runs its own tests on that schema.
 */

const USAGE = `Checks that the previous version keeps working while this one is rolled out.

  npm run previous                                sends traffic to the previous version, and runs its own tests
  npm run previous -- --commit <hash>             uses another version
  npm run previous -- --checkout <folder>         uses a version that is already built in this folder
  npm run previous -- --tests "server/points"     runs only these of its tests
  npm run previous -- --seconds 30 --rate 20      sends traffic for 30 seconds, 20 requests a second`;

const { values: given } = readOptions(USAGE, {
  options: {
    commit: { type: "string", default: PREVIOUS.commit },
    tests: { type: "string", default: "server/points server/heartbeats server/referrals server/sessions server/auth" },
    // A checkout that was created and built before.
    checkout: { type: "string" },
    seconds: { type: "string", default: "10" },
    rate: { type: "string", default: "10" },
  },
});
const seconds = readNumber("--seconds", given.seconds);
const rate = readNumber("--rate", given.rate);
const MEMBERS = 31;
/** How many characters of a problem to print: queries list all their parameters. */
const MAX_PRINTED = 600;

const root = process.cwd();
const previous = given.checkout ?? join(mkdtempSync(join(tmpdir(), "nodebeat-previous-")), "checkout");
try {
  if (!given.checkout) checkOut();
  await useOnThisSchema();
  runItsTests();
} finally {
  if (!given.checkout) {
    spawnSync("git", ["worktree", "remove", "--force", previous], { stdio: "inherit" });
    rmSync(join(previous, ".."), { recursive: true, force: true });
  }
}

function checkOut() {
  run(root, "git", "worktree", "add", "--quiet", "--detach", previous, given.commit);
  if (hasAllPackages()) run(root, "cp", "-al", "node_modules", previous);
  else run(previous, "npm", "ci", "--no-audit", "--no-fund");
  // So that it does not use anything built by this version.
  rmSync(join(previous, "node_modules/.cache"), { recursive: true, force: true });
  run(previous, "npm", "run", "--silent", "build");
}

type Lock = { packages: Record<string, { version?: string; integrity?: string }> };

/** Returns whether all its packages are installed here in the same versions. Links to them take only seconds. */
function hasAllPackages(): boolean {
  const [ours, theirs] = [root, previous].map(
    (folder) => JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as Lock,
  );
  return Object.entries(theirs?.packages ?? {}).every(
    ([name, { integrity }]) => name === "" || ours?.packages[name]?.integrity === integrity,
  );
}

/** Uses it as while processes are replaced one at a time: the newer one has migrated, the older one serves. */
async function useOnThisSchema() {
  let members: TrafficMember[] = [];
  const installation = await startInstallation(
    { roles: ["web", "worker"], settings: { SHUTDOWN_GRACE_SECONDS: "0" }, root: previous },
    async (databaseUrl) => {
      const database = await openDatabase({ databaseUrl, dataDir: "", log: pino({ level: "silent" }) });
      // An operator may partition the ledger before the last process is replaced. Its own tests cover it as one table.
      const act = { actor: OPERATOR, reason: "The version before works on it" };
      await partitionTable({ db: database.db, now: () => new Date() }, act, LEDGER);
      await database.close();
      members = await createNetwork(databaseUrl, PUBLIC_URL, MEMBERS);
    },
  );
  try {
    const [web] = installation.processes;
    const interval = INTERVAL_SECONDS * 1000;
    const { result } = startTraffic({
      urls: [`http://127.0.0.1:${web?.port}`],
      rate,
      seconds,
      streams: 4,
      mix: { members, file: "/robots.txt", newest: Math.floor(Date.now() / interval) * interval, run: "previous" },
    });
    const { errors, firstErrors, sent, shed, statuses } = await result;
    const { acknowledged, doubled, lost } = await checkWrites(installation.databaseUrl, members, await result);
    for (const line of firstErrors) console.log(`     ${line}`);
    expect(
      `${sent} requests to it on this schema, ${errors + shed} errors`,
      errors + shed === 0 && (statuses[200] ?? 0) > 0,
    );
    expect(
      `${acknowledged} writes acknowledged, ${lost} lost, ${doubled} done twice`,
      lost + doubled === 0 && acknowledged > 0,
    );
  } finally {
    await installation.close();
  }
}

/**
 * Runs its tests on a real PostgreSQL. Tests that are set aside must fail as expected, and must pass after the
 * statement they rely on: neither may hide anything else.
 */
function runItsTests() {
  const folders = given.tests.split(" ").filter((folder) => existsSync(join(previous, folder)));
  const setAside = SET_ASIDE.filter(({ file }) => folders.some((folder) => file.startsWith(folder)));
  giveMigrations();
  const results = runVitest(folders);
  printProblems(findProblems(results, setAside));
  const passed = results.tests.filter(({ state }) => state === "passed").length;
  expect(
    `its own tests of ${folders.join(", ")} on this schema: ${passed} passed, ${setAside.length} set aside`,
    findProblems(results, setAside).length === 0,
  );
  for (const { because, file, name } of setAside) console.log(`     set aside: ${file}: ${name}\n       ${because}`);
  for (const passesOnce of new Set(setAside.map((each) => each.passesOnce))) {
    const meant = setAside.filter((each) => each.passesOnce === passesOnce);
    giveMigrations(passesOnce);
    const files = [...new Set(meant.map(({ file }) => file))];
    const again = runVitest(files);
    printProblems(findProblems(again, []));
    const names = new Set(again.tests.filter(({ state }) => state === "passed").map(({ name }) => name));
    expect(
      `what is set aside passes after ${passesOnce}`,
      findProblems(again, []).length === 0 && meant.every(({ name }) => names.has(name)),
    );
  }
}

/**
 * Replaces its migrations by this version's, makes room for the time at which its tests run, and adds one more
 * statement.
 */
function giveMigrations(statement?: string) {
  const folder = join(previous, "server/db/migrations");
  rmSync(folder, { recursive: true });
  cpSync(join(root, "server/db/migrations"), folder, { recursive: true });
  const room = `SELECT add_month('heartbeats', '${PREVIOUS.testsAt}'::timestamptz + months * interval '1 month') FROM generate_series(-1, 3) AS months;`;
  const tag = "9999_the_time_of_its_tests";
  writeFileSync(join(folder, `${tag}.sql`), [room, statement].filter(Boolean).join("--> statement-breakpoint\n"));
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8")) as { entries: { idx: number; when: number }[] };
  const last = journal.entries.at(-1);
  if (!last) throw new Error("There are no migrations");
  const entry = { ...last, idx: last.idx + 1, when: last.when + 1, tag };
  writeFileSync(path, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
}

function runVitest(files: string[]): TestResults {
  const folder = mkdtempSync(join(tmpdir(), "nodebeat-results-"));
  const file = join(folder, "results.json");
  const reporters = ["--reporter=default", `--reporter=${join(import.meta.dirname, "../support/results-reporter.ts")}`];
  const { status } = spawnSync("npx", ["vitest", "run", "--project", "postgres", ...reporters, ...files], {
    cwd: previous,
    stdio: "inherit",
    env: { ...process.env, TEST_RESULTS: file },
  });
  try {
    if (status !== 0 && status !== 1) throw new Error(`vitest ended with ${status}`);
    const results = JSON.parse(readFileSync(file, "utf8")) as TestResults;
    // If it failed, it must also have reported why.
    return status === 0 ? results : { ...results, reason: results.reason === "passed" ? "failed" : results.reason };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function printProblems(problems: string[]) {
  for (const problem of problems) console.log(`     ${problem.slice(0, MAX_PRINTED)}`);
}

function run(cwd: string, command: string, ...args: string[]) {
  execFileSync(command, args, { cwd, stdio: "inherit" });
}
