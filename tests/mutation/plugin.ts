import { createHash } from "node:crypto";
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

/** Leaves out what is not in the sample, which is of whole declarations of a file, and words that only a log reads. */
function shouldIgnore(path: babel.NodePath): string | undefined {
  if (path.parentPath?.isProgram() && !isInSample(path)) return "Not in this sample";
  if (isLogCall(path)) return "What is written to the log";
  if (isStatementName(path)) return "The name of a prepared statement";
  return undefined;
}

function isInSample(path: babel.NodePath): boolean {
  const [digit = 0, next = 0] = createHash("sha256").update(`${seed} ${path.toString()}`).digest();
  return (digit * 256 + next) % 100 < share;
}

function isLogCall(path: babel.NodePath): boolean {
  if (!path.isCallExpression()) return false;
  const callee = path.get("callee");
  if (!callee.isMemberExpression()) return false;
  const object = callee.get("object");
  const logger = object.isMemberExpression() ? object.get("property") : object;
  return !Array.isArray(logger) && logger.isIdentifier({ name: "log" });
}

function isStatementName(path: babel.NodePath): boolean {
  const call = path.parentPath;
  if (!path.isStringLiteral() || !call?.isCallExpression()) return false;
  const callee = call.get("callee");
  return callee.isMemberExpression() && callee.get("property").isIdentifier({ name: "prepare" });
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
  declareValuePlugin(PluginKind.Ignore, "sample", { shouldIgnore: (path) => shouldIgnore(path as babel.NodePath) }),
  declareFactoryPlugin(PluginKind.TestRunner, "vitest-by-file", createRunner),
];
