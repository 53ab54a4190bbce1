import { afterAll, vi } from "vitest";

/** The worker goes on with another file: what stood in for a global or for the time ends with this one. */
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
