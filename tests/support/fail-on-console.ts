import { afterAll, afterEach, expect, vi } from "vitest";

const METHODS = ["error", "warn"] as const;
const said: unknown[][] = [];

// Not a spy: a test that restores or clears its own would take it along. And from here on, so that what a file says
// while it is loaded, and what its hooks say, counts as well.
for (const method of METHODS) {
  const print = console[method];
  console[method] = (...words: unknown[]) => {
    said.push(words);
    print(...words);
  };
}

/** A warning or an error on the console fails the test that caused it, or the next one, or the file. */
function expectSilence() {
  expect(said.splice(0), "the console stays silent").toEqual([]);
}

afterEach(() => {
  vi.restoreAllMocks();
  expectSilence();
});
afterAll(expectSilence);
