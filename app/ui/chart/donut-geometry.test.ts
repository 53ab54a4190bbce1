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

test("a single part fills the ring, and several share it with gaps between them", () => {
  expect(donutArcs([{ key: "all", value: 5 }])).toEqual([
    { key: "all", share: 100, path: expect.stringMatching(/^M0,-55\.5A.*ZM0,-40\.5A.*Z$/) },
  ]);
  const arcs = donutArcs([
    { key: "a", value: 1 },
    { key: "b", value: 1 },
    { key: "c", value: 0.001 },
  ]);
  expect(arcs.map(({ share }) => Math.round(share))).toEqual([50, 50, 0]);
  // From its outer edge to its inner one, each part ends where the gap begins: 1.5 from the line between two parts.
  const [, endX = 0] = arcs[0]?.path.match(/L(-?[\d.]+)/)?.map(Number) ?? [];
  expect(endX).toBeGreaterThan(0.5);
  for (const { path } of arcs) expect(path).not.toContain("NaN");
});

test("no points, no ring", () => {
  expect(donutArcs([{ key: "a", value: 0 }])).toEqual([]);
});
