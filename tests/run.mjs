// `npm test`: installs what is missing, runs every check and test, and ends with the counts.
// Starts on the machine's own Node, before anything is installed: plain JavaScript, no dependency.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const reports = mkdtempSync(join(tmpdir(), "nodebeat-test-"));
const counts = { passed: 0, failed: 0 };
// The project's own Node and tools come first on the path, from the moment they are installed.
const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}` };

if (!run("Install", ["node", "server/install.mjs"])) process.exit(1);
run("Browser", ["node", "tests/support/install-chromium.mjs"]);
run("Another engine", ["node", "tests/support/engines/install-webkit.mjs"]);

check("Build", ["npm", "run", "--silent", "build"]);
check("Types", ["npm", "run", "--silent", "typecheck"]);
check("Lint", ["npm", "run", "--silent", "lint"]);
check("Format", ["npm", "run", "--silent", "format:check"]);
check("Dead code", ["npm", "run", "--silent", "knip"]);
suite("Unit, loader and API tests", vitestReport("vitest"));
suite("Browser journeys", playwrightReport("playwright"));
check("JavaScript budget", ["npm", "run", "--silent", "bench:budget"]);

rmSync(reports, { recursive: true, force: true });
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;

function run(title, [command, ...args], extra = {}) {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...env, ...extra },
  });
  return status === 0;
}

function check(title, command) {
  counts[run(title, command) ? "passed" : "failed"] += 1;
}

/** Adds a suite's own counts; a suite that died without a report, or without a test, counts as failed. */
function suite(title, { command, report, count }) {
  const ok = run(title, command, { PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  const { passed, failed } = existsSync(report)
    ? count(JSON.parse(readFileSync(report, "utf8")))
    : { passed: 0, failed: 0 };
  counts.passed += passed;
  counts.failed += failed > 0 || (ok && passed > 0) ? failed : 1;
}

function vitestReport(name) {
  const report = join(reports, `${name}.json`);
  return {
    report,
    command: [
      "npm",
      "run",
      "--silent",
      "test:unit",
      "--",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    count: ({ numPassedTests, numFailedTests, numFailedTestSuites, success }) => ({
      passed: numPassedTests,
      // A file that fails to load has no failed test of its own.
      failed: success ? numFailedTests : Math.max(numFailedTests, numFailedTestSuites, 1),
    }),
  };
}

function playwrightReport(name) {
  const report = join(reports, `${name}.json`);
  return {
    report,
    command: ["npm", "run", "--silent", "test:e2e", "--", "--reporter=list,json"],
    count: ({ stats, errors }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
    }),
  };
}
