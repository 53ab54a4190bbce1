import { createHash } from "node:crypto";
import { relative } from "node:path";
import { CheckStatus, type Checker, type CheckResult } from "@stryker-mutator/api/check";
import type { Mutant } from "@stryker-mutator/api/core";
import {
  declareFactoryPlugin,
  declareValuePlugin,
  PluginKind,
  tokens,
  commonTokens,
} from "@stryker-mutator/api/plugin";
import type { Injector, PluginContext } from "@stryker-mutator/api/plugin";
import { DryRunStatus, type DryRunResult, type TestRunner } from "@stryker-mutator/api/test-runner";
import type { babel } from "@stryker-mutator/core";
import { strykerPlugins as vitestPlugins, strykerValidationSchema } from "@stryker-mutator/vitest-runner";

const share = Number(process.env.MUTATED_SHARE ?? 100);
const seed = process.env.MUTATED_SEED ?? "1";

/** Leaves out words that only a log reads. */
function shouldIgnore(path: babel.NodePath): string | undefined {
  if (isLogCall(path)) return "What is written to the log";
  if (isStatementName(path)) return "The name of a prepared statement";
  return undefined;
}

/** The call, and the statement that is nothing but the call. */
function isLogCall(path: babel.NodePath): boolean {
  const call = path.isExpressionStatement() ? path.get("expression") : path;
  if (!call.isCallExpression()) return false;
  const callee = call.get("callee");
  if (!callee.isMemberExpression()) return false;
  const object = callee.get("object");
  // The log of a request: `c.get("log")`.
  if (object.isCallExpression()) return object.get("arguments").some((name) => name.isStringLiteral({ value: "log" }));
  const logger = object.isMemberExpression() ? object.get("property") : object;
  return !Array.isArray(logger) && logger.isIdentifier({ name: "log" });
}

function isStatementName(path: babel.NodePath): boolean {
  const call = path.parentPath;
  if (!path.isStringLiteral() || !call?.isCallExpression()) return false;
  const callee = call.get("callee");
  return callee.isMemberExpression() && callee.get("property").isIdentifier({ name: "prepare" });
}

/** Tries the mutants of a sample alone. Stryker has no other word for the rest than that they did not compile. */
const createSampler = (): Checker => ({
  init: async () => {},
  group: async (mutants) => [mutants.map(({ id }) => id)],
  check: async (mutants) => Object.fromEntries(mutants.map((mutant) => [mutant.id, checkSample(mutant)])),
});

const checkSample = (mutant: Mutant): CheckResult =>
  isInSample(mutant)
    ? { status: CheckStatus.Passed }
    : { status: CheckStatus.CompileError, reason: "Not in this sample" };

/** The same for everybody, also where a file grows elsewhere. */
function isInSample({ fileName, location: { start, end }, mutatorName, replacement }: Mutant): boolean {
  const place = `${relative(process.cwd(), fileName)} ${start.column} ${end.column} ${end.line - start.line}`;
  const [digit = 0, next = 0] = createHash("sha256").update(`${seed} ${place} ${mutatorName} ${replacement}`).digest();
  return (digit * 256 + next) % 100 < share;
}

/**
 * Vitest as it is, but what one test of a file reaches counts as reached by all of the file: a statement that is
 * prepared once is run by many.
 */
function createRunner(injector: Injector<PluginContext>): TestRunner {
  const [vitest] = vitestPlugins;
  if (!vitest) throw new Error("Stryker's runner for vitest has no plugin");
  const runner = injector.injectFunction(vitest.factory);
  const dryRun = runner.dryRun.bind(runner);
  runner.dryRun = async (options) => shareCoverage(await dryRun(options));
  return runner;
}
createRunner.inject = tokens(commonTokens.injector);

const fileOf = (testId: string) => testId.slice(0, testId.indexOf("#"));

function shareCoverage(result: DryRunResult): DryRunResult {
  if (result.status !== DryRunStatus.Complete || !result.mutantCoverage) return result;
  const { perTest } = result.mutantCoverage;
  const ofFiles: Record<string, Record<string, number>> = {};
  for (const [testId, hits] of Object.entries(perTest)) {
    const reached = (ofFiles[fileOf(testId)] ??= {});
    for (const [mutant, count] of Object.entries(hits)) reached[mutant] = (reached[mutant] ?? 0) + count;
  }
  for (const { id } of result.tests) perTest[id] = ofFiles[fileOf(id)] ?? {};
  return result;
}

export { strykerValidationSchema };

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "words-of-the-log", {
    shouldIgnore: (path) => shouldIgnore(path as babel.NodePath),
  }),
  declareFactoryPlugin(PluginKind.Checker, "sample", createSampler),
  declareFactoryPlugin(PluginKind.TestRunner, "vitest-by-file", createRunner),
];
