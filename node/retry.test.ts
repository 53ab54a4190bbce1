import { expect, test } from "vitest";
import { formatWait } from "./retry.ts";

test.each([
  [1, "1 s"],
  [1000, "1 s"],
  [1001, "2 s"],
  [119_000, "119 s"],
  [119_001, "2 min"],
  [270_000, "5 min"],
])("formats a wait of %i ms as %s", (wait, words) => {
  expect(formatWait(wait)).toBe(words);
});
