import { expect, test } from "vitest";
import { donutArcs } from "./donut-geometry.ts";

test("the ring begins at the top and runs clockwise in the given order", () => {
  const arcs = donutArcs([
    { key: "a", value: 1 },
    { key: "b", value: 3 },
  ]);
  expect(arcs.map(({ key }) => key)).toEqual(["a", "b"]);
  const [x = 0, y = 0] = arcs[0]?.path.match(/-?[\d.]+/g)?.map(Number) ?? [];
  expect(x).toBeGreaterThan(0);
  expect(x).toBeLessThan(5);
  expect(y).toBeCloseTo(-55.5, 0);
});

test("parts without points are left out", () => {
  const arcs = donutArcs([
    { key: "none", value: 0 },
    { key: "all", value: 5 },
    { key: "lost", value: -2 },
  ]);
  expect(arcs.map(({ key }) => key)).toEqual(["all"]);
});

test("no points, no ring", () => {
  expect(donutArcs([{ key: "a", value: 0 }])).toEqual([]);
});
