// `npm test`: installs what is missing, runs every check and test, and ends with the counts. `npm run check`: runs what
// a change breaks most often.
// Starts on the machine's own Node, before anything is installed: plain JavaScript, no dependencies.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const reports = mkdtempSync(join(tmpdir(), "nodebeat-test-"));
const counts = { passed: 0, failed: 0 };
const failing = [];
// The project's own Node and tools come first on the path, as soon as they are installed.
const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}` };

const script = (name, ...args) => ["npm", "run", "--silent", name, ...args];
const TYPES = check("Types", script("typecheck"));
const LINT = check("Lint", script("lint"));
const FORMAT = check("Format", script("format:check"));
const SPECIFICATION = check("Specification", script("specification", "--", "--check"));

if (!(await step("Install", ["node", "server/boot/install.mjs"], { streams: true }))) process.exit(1);
await (process.argv[2] === "check" ? runCheck() : runAll());

rmSync(reports, { recursive: true, force: true });
if (failing.length > 0) console.log(`\nFailed:\n  ${failing.join("\n  ")}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;

async function runAll() {
  // Needs the network and the disk more than the processor, which the checks use meanwhile.
  const installing = installPrograms();
  await together([check("Build", script("build")), FORMAT, SPECIFICATION]);
  // After the build, which also writes the types of the routes; before the tests, which do so, too.
  const checking = together([TYPES, LINT, check("Dead code", script("knip"))]);
  await Promise.all([checking, installing.then(check("Page budgets", script("bench:budget")))]);
  await suite("Unit, loader and API tests", vitestReport());
  await suite("Browser journeys", playwrightReport());
}

function installPrograms() {
  return step("Browsers and other programs", ["node", "tests/install/all.mjs"]);
}

async function runCheck() {
  await together([TYPES, LINT, FORMAT, SPECIFICATION]);
  const folders = listChangedFolders().filter(hasTests);
  if (folders.length > 0)
    await suite("Tests beside what changed", vitestReport("--project", "embedded", "--project", "pages", ...folders));
}

/** Returns the folders in app/, server/ and node/ that differ from the last commit, or else those that it changed. */
function listChangedFolders() {
  const open = [...askGit("diff", "--name-only", "HEAD"), ...askGit("ls-files", "--others", "--exclude-standard")];
  const changed = open.some(Boolean) ? open : askGit("diff", "--name-only", "HEAD~1", "HEAD");
  const ours = changed.filter((file) => /^(?:(?:app|server)\/.+|node)\//.test(file));
  return [...new Set(ours.map((file) => `${dirname(file)}/`))];
}

function askGit(...args) {
  return spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout?.split("\n") ?? [];
}

function hasTests(folder) {
  const path = join(root, folder);
  return existsSync(path) && readdirSync(path, { recursive: true }).some((file) => /\.test\.tsx?$/.test(file));
}

/** Runs steps at the same time. Each one's output is printed as a whole when it ends. */
function together(steps) {
  return Promise.all(steps.map((start) => start()));
}

function check(title, command) {
  return async () => {
    const ok = await step(title, command);
    counts[ok ? "passed" : "failed"] += 1;
    if (!ok) failing.push(title);
  };
}

/** Adds a suite's own counts. A suite that died without a report, or ran no test, counts as failed. */
async function suite(title, { command, extra, report, read }) {
  const ok = await step(title, command, { streams: true, extra });
  const { passed, failed, failures } = existsSync(report)
    ? read(JSON.parse(readFileSync(report, "utf8")))
    : { passed: 0, failed: 0, failures: [] };
  const lost = failed === 0 && (!ok || passed === 0);
  counts.passed += passed;
  counts.failed += lost ? 1 : failed;
  failing.push(...failures, ...(lost ? [title] : []));
}

/** Resolves to whether the command succeeded. A streaming command prints while it runs, others when they end. */
function step(title, [command, ...args], { streams = false, extra = {} } = {}) {
  const begun = performance.now();
  if (streams) console.log(`\n── ${title}`);
  const child = spawn(command, args, {
    cwd: root,
    stdio: streams ? "inherit" : ["ignore", "pipe", "pipe"],
    env: { ...env, ...extra },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once("error", (error) => (output += error.message));
    child.once("close", (status) => {
      const time = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
      console.log(streams ? `── ${title}: ${time}` : `\n── ${title}: ${time}\n${output.trimEnd()}`);
      resolve(status === 0);
    });
  });
}

function vitestReport(...args) {
  const report = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=./tests/support/results-reporter.ts"];
  return {
    report,
    command: script("test:unit", "--", ...reporters, ...args),
    extra: { TEST_RESULTS: report },
    read: ({ tests, otherErrors }) => {
      const having = (sought) => tests.filter(({ state }) => state === sought);
      const failures = [
        ...having("failed").map(({ errors, file, name }) => describeFailure(`${file}: ${name}`, errors[0])),
        // Such as a file that could not be loaded, or a process that died. Its pending tests are not listed one by one.
        ...otherErrors.map((error) => describeFailure("Outside of a test", error)),
      ];
      return { passed: having("passed").length, failed: failures.length, failures };
    },
  };
}

/** Says where, what and why in one line: the end of a long output is read first, and sometimes is all that is kept. */
function describeFailure(title, message = "") {
  return `${title}: ${stripVTControlCharacters(message).trim().split("\n")[0]}`;
}

function playwrightReport() {
  const report = join(reports, "playwright.json");
  const listFailedJourneys = ({ specs = [], suites = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, line, title, tests }) => {
        const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
        return describeFailure(`tests/e2e/${file}:${line}: ${title}`, error?.message);
      }),
    ...suites.flatMap(listFailedJourneys),
  ];
  return {
    report,
    command: script("test:e2e", "--", "--reporter=list,json"),
    extra: { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    read: ({ stats, errors, suites }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      failures: [
        ...suites.flatMap(listFailedJourneys),
        ...errors.map(({ message }) => describeFailure("Outside of a journey", message)),
      ],
    }),
  };
}
