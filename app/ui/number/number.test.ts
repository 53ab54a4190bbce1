import { expect, test } from "vitest";
import { formatChange, formatCount, formatNumber } from "./number.ts";

// specification: 9.11
test.each([
  [0, "0"],
  [25, "25"],
  [-999, "-999"],
  [-0, "0"],
  [999.999, "1.000"],
  [1000, "1.000"],
  [1234.5, "1.234,5"],
  [48_213.5, "48.213,5"],
  [0.126, "0,13"],
  [1_234_567.891, "1.234.567,89"],
  [-250, "-250"],
  [-0.001, "0"],
  [Number.NaN, "–"],
  [Infinity, "–"],
])("%d is shown as %s", (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

// specification: 9.11
test.each([
  [25, "+25"],
  [1204.5, "+1.204,5"],
  [-1000, "-1.000"],
  [0, "0"],
  [-0.001, "0"],
])("a change of %d is shown as %s", (value, text) => {
  expect(formatChange(value)).toBe(text);
});

// specification: 9.11
test.each([
  [0, "0 friends"],
  [1, "1 friend"],
  [1.5, "1,5 friends"],
  [1000, "1.000 friends"],
  [1.004, "1 friend"],
  [0.996, "1 friend"],
  [1.01, "1,01 friends"],
  [-1.5, "-1,5 friends"],
])("%s of something is shown as %s", (count, shown) => {
  expect(formatCount(count, "friend")).toBe(shown);
});

test("uses the singular for a change of +1 or -1", () => {
  const changes = [1, -1, 2].map((points) => formatCount(points, "point", formatChange));
  expect(changes).toEqual(["+1 point", "-1 point", "+2 points"]);
});
