import { expect, test } from "vitest";
import type { TestResults } from "../support/results-reporter.ts";
import { findProblems } from "./its-own-tests.ts";
import { PREVIOUS, SET_ASIDE, type SetAside } from "./previous-version.ts";

type Result = TestResults["tests"][number];

const ASIDE: SetAside = {
  file: "server/points/claims.test.ts",
  name: "a claim is paid once",
  commit: "1234567",
  fails: "no partition of relation",
  because: "It writes what the product never writes.",
  passesOnce: "select add_month('heartbeats', '2026-01-01Z')",
};
const PASSED: Result = { file: "server/points/other.test.ts", name: "adds up", state: "passed", errors: [] };
const ASIDE_FAILED: Result = {
  file: ASIDE.file,
  name: ASIDE.name,
  state: "failed",
  errors: ['Failed query: insert Caused by: no partition of relation "heartbeats" found for row'],
};

const run = (...tests: Result[]): TestResults => ({
  reason: tests.some(({ state }) => state === "failed" || state === "pending") ? "failed" : "passed",
  tests,
  otherErrors: [],
});

test("accepts a run that passes, or in which only set-aside tests fail, with their expected error", () => {
  expect(findProblems(run(PASSED), [])).toEqual([]);
  expect(findProblems(run(PASSED, ASIDE_FAILED), [ASIDE])).toEqual([]);
});

const other = { ...ASIDE_FAILED, name: "another claim" };
const elsewhere = { ...ASIDE_FAILED, file: "server/points/more-claims.test.ts" };
const otherwise = { ...ASIDE_FAILED, errors: ["expected 2 to be 1"] };
const both = { ...ASIDE_FAILED, errors: [...ASIDE_FAILED.errors, "expected 2 to be 1"] };

test.each<[what: string, results: TestResults]>([
  ["another test that fails with that error", run(PASSED, ASIDE_FAILED, other)],
  ["a test with the same name in another file", run(PASSED, ASIDE_FAILED, elsewhere)],
  ["a second test with the same name in its file", run(PASSED, ASIDE_FAILED, ASIDE_FAILED)],
  ["the test, if it fails with another error", run(PASSED, otherwise)],
  ["the test, if it fails with another error as well", run(PASSED, both)],
  ["the test, if it fails without an error", run(PASSED, { ...ASIDE_FAILED, errors: [] })],
  ["the test, if it passes", run(PASSED, { ...ASIDE_FAILED, state: "passed", errors: [] })],
  ["the test, if it is skipped", run(PASSED, { ...ASIDE_FAILED, state: "skipped", errors: [] })],
  ["the test, if it is missing", run(PASSED)],
  ["another test that did not finish", run(PASSED, ASIDE_FAILED, { ...PASSED, state: "pending" })],
  ["a file that cannot be loaded", { ...run(PASSED, ASIDE_FAILED), otherErrors: ["Cannot find module"] }],
  ["an interrupted run", { ...run(PASSED, ASIDE_FAILED), reason: "interrupted" }],
  ["a run in which nothing else passes", run(ASIDE_FAILED)],
])("a set-aside test hides nothing else: %s", (_, results) => {
  expect(findProblems(results, [ASIDE])).toHaveLength(1);
});

test("rejects a failed run that gives no reason", () => {
  expect(findProblems({ ...run(PASSED), reason: "failed" }, [])).toEqual(["The run failed, and no test did."]);
});

test("each set-aside test gives its reason, and is for the current previous version only", () => {
  for (const { because, commit, fails } of SET_ASIDE) {
    expect(commit).toBe(PREVIOUS.commit);
    expect(fails.length).toBeGreaterThan(20);
    expect(because).toMatch(/\.$/);
  }
});
