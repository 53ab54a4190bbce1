import { afterAll, afterEach, expect, vi } from "vitest";

const METHODS = ["error", "warn"] as const;
const said: unknown[][] = [];

// Not a spy: a test that restores or clears its own spies would remove it. Installed here, so that output while a file
// is loaded, and in its hooks, counts as well.
for (const method of METHODS) {
  const print = console[method];
  console[method] = (...words: unknown[]) => {
    said.push(words);
    print(...words);
  };
}

/** Fails the test that caused a warning or an error on the console, or the next test, or the file. */
function expectSilence() {
  expect(said.splice(0), "the console stays silent").toEqual([]);
}

afterEach(() => {
  vi.restoreAllMocks();
  expectSilence();
});
afterAll(expectSilence);
