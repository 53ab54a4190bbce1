import type { TestResults } from "../support/results-reporter.ts";
import type { SetAside } from "./previous-version.ts";

/**
 * Returns everything wrong with a run of the previous version's tests, one sentence each. Tests that are set aside must
 * exist once, and must fail with the error that they are set aside for. Any other failure counts, in these tests, too.
 */
export function findProblems(results: TestResults, setAside: readonly SetAside[]): string[] {
  const { otherErrors, reason, tests } = results;
  const failed = tests.filter(({ state }) => state === "failed" || state === "pending");
  return [
    ...(tests.some(({ state }) => state === "passed") ? [] : ["No test has passed."]),
    ...(reason === "interrupted" ? ["The run was interrupted."] : []),
    ...(reason === "failed" && failed.length + otherErrors.length === 0 ? ["The run failed, and no test did."] : []),
    ...otherErrors,
    ...failed
      .filter((test) => !setAside.some((each) => isOf(each, test)))
      .map(({ errors, file, name, state }) => `${file}: ${name}: ${errors.join(" ") || state}`),
    ...setAside.flatMap((each) => judge(each, results)),
  ];
}

const isOf = (aside: SetAside, { file, name }: { file: string; name: string }) =>
  aside.file === file && aside.name === name;

function judge(aside: SetAside, { tests }: TestResults): string[] {
  const found = tests.filter((test) => isOf(aside, test));
  const [test] = found;
  const called = `${aside.file}: ${aside.name}`;
  if (!test || found.length > 1) return [`${called}: is set aside, and there are ${found.length} of that name.`];
  if (test.state !== "failed") return [`${called}: is set aside, and ${test.state}. Take it off the list.`];
  const others = test.errors.filter((error) => !error.includes(aside.fails));
  if (test.errors.length > 0 && others.length === 0) return [];
  return [`${called}: is set aside for another error than: ${others.join(" ") || "none"}`];
}
