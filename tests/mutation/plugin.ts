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
  type MutantRunResult,
  MutantRunStatus,
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

/** What vitest and the set-up attach to a test file. */
type RanFile = {
  filepath: string;
  meta: { mutantCoverage?: MutantCoverage };
  result?: { state: string; duration?: number };
};

/** The private parts of Stryker's runner. */
type RunnerParts = {
  ctx: Pick<Vitest, "config"> & { state: { getFiles: () => RanFile[] } };
  readMutantCoverage: () => MutantCoverage;
};

/**
 * Stryker's vitest runner, with two changes. Mutants that a file reaches count as reached by all of its tests, and by
 * no other file: a statement that is prepared once is run by many tests, and what a file does before its tests does not
 * concern the others. And the tests most likely to notice a mutant run first, because one that notices is enough.
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
      parts.ctx.config.sequence.sequencer = MostLikelyFirst;
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
    async mutantRun(options: MutantRunOptions) {
      MostLikelyFirst.mutated = nameOf(options.sandboxFileName);
      // Active from the first line on: a file may do something before its tests.
      const result = await mutantRun({ ...options, mutantActivation: "static" });
      MostLikelyFirst.learn(parts.ctx.state.getFiles(), result);
      return result;
    },
  });
}
createRunner.inject = tokens(commonTokens.injector);

const nameOf = (path: string) => relative(process.cwd(), path);
const fileOf = (testId: string) => testId.slice(0, testId.indexOf("#"));

function collectReached({ mutantCoverage }: RanFile["meta"]): Reached {
  const reached: Reached = {};
  for (const hits of mutantCoverage ? [mutantCoverage.static, ...Object.values(mutantCoverage.perTest)] : [])
    for (const [mutant, count] of Object.entries(hits)) reached[mutant] = (reached[mutant] ?? 0) + count;
  return reached;
}

/** How much one mutant changes what is expected of the next one in the same file. */
const LEARNING_RATE = 0.3;
/** Loading a test file takes about this long, whatever it tests. */
const LOADING_MS = 200;

/** Runs the test files with the best chance of noticing a mutant for their time first, as the mutants before it teach. */
class MostLikelyFirst extends BaseSequencer {
  static mutated = "";
  /** The chance that a test file notices a mutant, by mutated file and test file. */
  static readonly chances = new Map<string, number>();
  static readonly durations = new Map<string, number>();

  static chance(test: string): number {
    return this.chances.get(`${this.mutated} ${test}`) ?? 0.5;
  }

  static learn(files: RanFile[], result: MutantRunResult) {
    const killers = result.status === MutantRunStatus.Killed ? [result.killedBy].flat().map(fileOf) : [];
    for (const { filepath, result: ran } of files) {
      const test = nameOf(filepath);
      const noticed = killers.includes(test);
      // The others were not run any more.
      if (!noticed && ran?.state !== "pass") continue;
      if (!noticed) this.durations.set(test, ran?.duration ?? 0);
      const chance = this.chance(test);
      this.chances.set(`${this.mutated} ${test}`, chance + LEARNING_RATE * (Number(noticed) - chance));
    }
  }

  override async sort(files: TestSpecification[]) {
    const value = ({ moduleId }: TestSpecification) => {
      const test = nameOf(moduleId);
      return MostLikelyFirst.chance(test) / (LOADING_MS + (MostLikelyFirst.durations.get(test) ?? 0));
    };
    // Quick ones first where nothing is known.
    return (await super.sort(files)).toReversed().toSorted((a, b) => value(b) - value(a));
  }
}

export { strykerValidationSchema };

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "words-of-the-log", {
    shouldIgnore: (path) => shouldIgnore(path as babel.NodePath),
  }),
  declareFactoryPlugin(PluginKind.Checker, "sample", createSampler),
  declareFactoryPlugin(PluginKind.TestRunner, "vitest-by-file", createRunner),
];
