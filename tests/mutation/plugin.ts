import { createHash } from "node:crypto";
import { relative } from "node:path";
import { CheckStatus, type Checker, type CheckResult } from "@stryker-mutator/api/check";
import type { Mutant, MutantCoverage } from "@stryker-mutator/api/core";
import {
  declareFactoryPlugin,
  declareValuePlugin,
  PluginKind,
  tokens,
  commonTokens,
} from "@stryker-mutator/api/plugin";
import type { Injector, PluginContext } from "@stryker-mutator/api/plugin";
import {
  DryRunStatus,
  type DryRunOptions,
  type MutantRunOptions,
  type TestRunner,
} from "@stryker-mutator/api/test-runner";
import type { babel } from "@stryker-mutator/core";
import { strykerPlugins as vitestPlugins, strykerValidationSchema } from "@stryker-mutator/vitest-runner";
import { BaseSequencer, type TestSpecification, type Vitest } from "vitest/node";

const share = Number(process.env.MUTATED_SHARE ?? 100);
const seed = process.env.MUTATED_SEED ?? "1";

/** Skips texts that only appear in a log. */
function shouldIgnore(path: babel.NodePath): string | undefined {
  if (isLogCall(path)) return "What is written to the log";
  if (isStatementName(path)) return "The name of a prepared statement";
  return undefined;
}

/** Returns whether this is a log call, or a statement that consists of one. */
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

/**
 * Tries only the mutants of a sample. The others count as compile errors, because Stryker has no other status for them.
 */
const createSampler = (): Checker => ({
  init: async () => {},
  group: async (mutants) => [mutants.map(({ id }) => id)],
  check: async (mutants) => Object.fromEntries(mutants.map((mutant) => [mutant.id, checkSample(mutant)])),
});

const checkSample = (mutant: Mutant): CheckResult =>
  isInSample(mutant)
    ? { status: CheckStatus.Passed }
    : { status: CheckStatus.CompileError, reason: "Not in this sample" };

/** Returns the same result on every machine, even if other parts of the file change. */
function isInSample({ fileName, location: { start, end }, mutatorName, replacement }: Mutant): boolean {
  const place = `${relative(process.cwd(), fileName)} ${start.column} ${end.column} ${end.line - start.line}`;
  const [digit = 0, next = 0] = createHash("sha256").update(`${seed} ${place} ${mutatorName} ${replacement}`).digest();
  return (digit * 256 + next) % 100 < share;
}

/** How often one test file reaches each mutant, by mutant id. */
type Reached = Record<string, number>;

/** What the set-up attaches to a test file. */
type FileMeta = { mutantCoverage?: MutantCoverage };

/** The private parts of Stryker's runner. */
type RunnerParts = {
  ctx: Pick<Vitest, "config"> & { state: { getFiles: () => { filepath: string; meta: FileMeta }[] } };
  readMutantCoverage: () => MutantCoverage;
};

/**
 * Stryker's vitest runner, with two changes. Mutants that a file reaches count as reached by all of its tests, and by
 * no other file: a statement that is prepared once is run by many tests, and what a file does before its tests does not
 * concern the others. And the tests closest to a mutant run first, because one that notices is enough.
 */
function createRunner(injector: Injector<PluginContext>): TestRunner {
  const [vitest] = vitestPlugins;
  if (!vitest) throw new Error("Stryker's runner for vitest has no plugin");
  const runner: TestRunner = injector.injectFunction(vitest.factory);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are private in its types
  const parts = runner as unknown as RunnerParts;
  const init = runner.init?.bind(runner);
  const [dryRun, mutantRun] = [runner.dryRun.bind(runner), runner.mutantRun.bind(runner)];
  let reached = new Map<string, Reached>();
  return Object.assign(runner, {
    async init() {
      await init?.();
      parts.ctx.config.sequence.sequencer = NearestFirst;
    },
    readMutantCoverage() {
      reached = new Map(parts.ctx.state.getFiles().map((file) => [nameOf(file.filepath), collectReached(file.meta)]));
      return { static: {}, perTest: {} };
    },
    async dryRun(options: DryRunOptions) {
      const result = await dryRun(options);
      if (result.status !== DryRunStatus.Complete || !result.mutantCoverage) return result;
      for (const { id } of result.tests) result.mutantCoverage.perTest[id] = reached.get(fileOf(id)) ?? {};
      return result;
    },
    mutantRun(options: MutantRunOptions) {
      NearestFirst.mutated = nameOf(options.sandboxFileName);
      // Active from the first line on: a file may do something before its tests.
      return mutantRun({ ...options, mutantActivation: "static" });
    },
  });
}
createRunner.inject = tokens(commonTokens.injector);

const nameOf = (path: string) => relative(process.cwd(), path);
const fileOf = (testId: string) => testId.slice(0, testId.indexOf("#"));

function collectReached({ mutantCoverage }: FileMeta): Reached {
  const reached: Reached = {};
  for (const hits of mutantCoverage ? [mutantCoverage.static, ...Object.values(mutantCoverage.perTest)] : [])
    for (const [mutant, count] of Object.entries(hits)) reached[mutant] = (reached[mutant] ?? 0) + count;
  return reached;
}

class NearestFirst extends BaseSequencer {
  static mutated = "";

  override async sort(files: TestSpecification[]) {
    const closeness = ({ moduleId }: TestSpecification) => countShared(nameOf(moduleId), NearestFirst.mutated);
    return (await super.sort(files)).toSorted((a, b) => closeness(b) - closeness(a));
  }
}

/** Returns how many leading characters two paths share. */
function countShared(one: string, other: string): number {
  const end = Array.from(one).findIndex((character, index) => character !== other[index]);
  return end < 0 ? one.length : end;
}

export { strykerValidationSchema };

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "words-of-the-log", {
    shouldIgnore: (path) => shouldIgnore(path as babel.NodePath),
  }),
  declareFactoryPlugin(PluginKind.Checker, "sample", createSampler),
  declareFactoryPlugin(PluginKind.TestRunner, "vitest-by-file", createRunner),
];
