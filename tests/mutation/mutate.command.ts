import { resolve } from "node:path";
import type { MutantResult, PartialStrykerOptions } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import { FOLDERS, LEFT_OUT } from "./folders.ts";
import { readNumber, readOptions, refuse } from "../support/command-options.ts";

const USAGE = `Changes the code in small ways, one at a time, and lists the changes that no test notices.

  npm run mutate                            every folder: hours
  npm run mutate -- server/points           one folder, or several
  npm run mutate -- --share 20 --seed 1     about a fifth of the mutants of each, the same ones for the same seed

  --concurrency <n>   test runs at the same time: 1 by default
  --force             also tries what an earlier run has tried

Exits with an error if fewer than 85 % are noticed. Results are kept in .mutation/`;

const { positionals, values } = readOptions(USAGE, {
  allowPositionals: true,
  options: {
    share: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    concurrency: { type: "string", default: "1" },
    force: { type: "boolean", default: false },
  },
});

const concurrency = readNumber("--concurrency", values.concurrency);
readNumber("--share", values.share);

/** Returns the options of one run: one per folder, because each has its own tests. */
function optionsOf(folder: string): PartialStrykerOptions {
  const { force, seed, share } = values;
  const name = folder.replaceAll("/", "-");
  const results = share === "100" ? name : `${name}-${share}-${seed}`;
  return {
    mutate: [`${folder}/**/*.ts`, ...LEFT_OUT.map((pattern) => `!${pattern}`)],
    plugins: [new URL("./plugin.ts", import.meta.url).href],
    testRunner: "vitest-by-file",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a runner's own options are not in Stryker's type
    ...({ vitest: { configFile: "tests/mutation/vitest.config.ts", pool: "forks", related: false } } as object),
    // Vitest strips types: no tsconfig.json is needed, and Stryker's tsconfig reader does not know TypeScript 7.
    tsconfigFile: "none",
    // Nor do files need a comment that disables type checks. Unchanged, they share the database that other tests start
    // from.
    disableTypeChecks: false,
    coverageAnalysis: "perTest",
    ignorers: ["words-of-the-log"],
    checkers: share === "100" ? [] : ["sample"],
    incremental: true,
    incrementalFile: `.mutation/${results}.incremental.json`,
    force,
    concurrency,
    tempDirName: ".mutation/sandbox",
    ignorePatterns: [".gallery", ".mutation", "build", "data", "test-results", "playwright-report"],
    // A slow, busy machine must not look like an endless mutant.
    timeoutMS: 40_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 30,
    reporters: ["clear-text", "progress-append-only", "json", "html"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
    jsonReporter: { fileName: `.mutation/${results}.json` },
    htmlReporter: { fileName: `.mutation/${results}.html` },
    thresholds: { high: 95, low: 85, break: 85 },
  };
}

/**
 * Returns one line of numbers. A mutant that makes the tests never end counts as noticed; one that could not be run
 * does not count.
 */
function describe(folder: string, results: MutantResult[]): string {
  const count = (...statuses: MutantResult["status"][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const killed = count("Killed", "Timeout");
  const tried = killed + count("Survived", "NoCoverage");
  const score = tried === 0 ? "nothing tried" : `${((100 * killed) / tried).toFixed(1)} %`;
  return (
    `${folder}: ${results.length} generated, ${tried} tried, ${killed} killed (${score}; ${count("Timeout")} of them ` +
    `by never ending), ${count("Survived")} survived, ${count("NoCoverage")} without a test`
  );
}

async function main() {
  const folders = positionals.length > 0 ? positionals : Object.keys(FOLDERS);
  const unknown = folders.find((folder) => !FOLDERS[folder]);
  if (unknown) refuse(`There is no folder ${unknown} here, but ${Object.keys(FOLDERS).join(", ")}.`);
  // Each mutant has its own processes, which spend most of their time loading the same packages.
  process.env.NODE_COMPILE_CACHE ??= resolve(".mutation/compile-cache");
  process.env.MUTATED_SHARE = values.share;
  process.env.MUTATED_SEED = values.seed;
  const lines: string[] = [];
  for (const folder of folders) {
    process.env.MUTATED_TESTS = FOLDERS[folder]?.join(",");
    lines.push(describe(folder, await new Stryker(optionsOf(folder)).runMutationTest()));
  }
  for (const line of lines) console.log(line);
}

await main();
