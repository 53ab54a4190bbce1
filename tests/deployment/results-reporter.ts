import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule, TestSuite } from "vitest/node";
import type { TestResults } from "./its-own-tests.ts";

/*
 * Writes the results of a test run as JSON to the file in TEST_RESULTS: each test, and any other errors. Loaded by the
 * vitest that runs the tests, which is the previous version's.
 */

export default class ResultsReporter implements Reporter {
  onTestModuleEnd(module: TestModule) {
    const tests = Array.from(module.children.allTests());
    const failed = tests.filter((test) => test.result().state === "failed").length;
    const said = `${tests.length} ${tests.length === 1 ? "test" : "tests"}${failed > 0 ? `, ${failed} FAILED` : ""}`;
    process.stdout.write(`     ${module.relativeModuleId}: ${said}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestResults["reason"]) {
    const results: TestResults = {
      reason,
      tests: modules.flatMap((module) =>
        Array.from(module.children.allTests(), (test) => {
          const { errors = [], state } = test.result();
          return { file: module.relativeModuleId, name: test.fullName, state, errors: errors.map(describe) };
        }),
      ),
      otherErrors: modules.flatMap(listOutsideTests).concat(unhandled.map(describe)),
    };
    writeFileSync(process.env.TEST_RESULTS ?? "", JSON.stringify(results));
  }
}

/** Returns the errors of a file, and of its groups, outside of their tests. */
function listOutsideTests(module: TestModule): string[] {
  const groups: TestSuite[] = Array.from(module.children.allSuites());
  return [module, ...groups].flatMap((each) =>
    each.errors().map((error) => `${module.relativeModuleId}: ${describe(error)}`),
  );
}

/** Describes an error with its cause. */
function describe({ cause, message }: { message: string; cause?: unknown }): string {
  const inner = typeof cause === "object" && cause !== null && "message" in cause ? String(cause.message) : undefined;
  // A query may have many parameters.
  return [message.slice(0, 2_000), inner].filter(Boolean).join(" Caused by: ");
}
