import { afterEach, beforeEach, expect, vi } from "vitest";

/** A warning or an error on the console fails the test that caused it. */
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  for (const method of [console.error, console.warn]) {
    const calls = vi.isMockFunction(method) ? method.mock.calls : [];
    vi.restoreAllMocks();
    expect(calls, "the console stays silent").toEqual([]);
  }
});
