import { expect, test } from "vitest";
import { mannWhitney } from "./mann-whitney.ts";

test("is zero for equal samples, and has a sign", () => {
  expect(mannWhitney([1, 2, 3, 4], [1, 2, 3, 4])).toBeCloseTo(0);
  expect(mannWhitney([1, 2, 3], [4, 5, 6])).toBeCloseTo(-1.964, 3);
  expect(mannWhitney([4, 5, 6], [1, 2, 3])).toBeCloseTo(1.964, 3);
});

test("counts ties as half, and corrects for them", () => {
  // By hand: ranks 1, 3, 3 | 3, 5, 6; U = 1; variance 9/12 * (7 - 24/30).
  expect(mannWhitney([1, 2, 2], [2, 3, 4])).toBeCloseTo((1 - 4.5) / Math.sqrt((9 / 12) * (7 - 24 / 30)), 6);
});
