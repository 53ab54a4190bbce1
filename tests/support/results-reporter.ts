import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule, TestSuite } from "vitest/node";

/** The results of a test run. */
export type TestResults = {
  reason: "passed" | "failed" | "interrupted";
  tests: { file: string; name: string; state: "passed" | "failed" | "skipped" | "pending"; errors: string[] }[];
  /** Errors outside of tests, such as why a file cannot be loaded, or of what a test process died. */
  otherErrors: string[];
};

/*
 * Writes the results of a test run as JSON to the file in TEST_RESULTS. Loaded by the vitest that runs the tests, which
 * may be the previous version's. Vitest's own JSON does not say of what a test process died.
 */

export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestResults["reason"]) {
    const results: TestResults = {
      reason,
      tests: modules.flatMap((module) =>
        Array.from(module.children.allTests(), (test) => {
          const { errors = [], state } = test.result();
          return { file: module.relativeModuleId, name: test.fullName, state, errors: errors.map(describe) };
        }),
      ),
      otherErrors: modules.flatMap(listOutsideTests).concat(unhandled.map(describeUnhandled)),
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

/** Also says during which file it happened, as a connection's error names none. */
function describeUnhandled(error: SerializedError): string {
  const during: unknown = error.VITEST_TEST_PATH;
  return typeof during === "string" ? `${relative("", during)}: ${describe(error)}` : describe(error);
}

/** Describes an error with its cause. */
function describe({ cause, message }: { message: string; cause?: unknown }): string {
  const inner = typeof cause === "object" && cause !== null && "message" in cause ? String(cause.message) : undefined;
  // A query may have many parameters.
  return [message.slice(0, 2_000), inner].filter(Boolean).join(" Caused by: ");
}
