import { expect, test } from "vitest";
import { takeRandom } from "./take-random.ts";

test("returns as many random bytes as requested, and never the same twice", () => {
  const taken = Array.from({ length: 1000 }, (_, index) => takeRandom(index % 2 === 0 ? 16 : 13));
  expect(new Set(taken.map(({ length }) => length))).toEqual(new Set([16, 13]));
  expect(new Set(taken.map((each) => each.toString("hex"))).size).toBe(1000);
  // Earlier results stay unchanged.
  const [first] = taken;
  const text = first?.toString("hex");
  takeRandom(4096);
  expect(first?.toString("hex")).toBe(text);
});
