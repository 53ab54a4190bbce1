import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatNumber } from "../number/number.ts";
import { barGeometry, gridValues, showsLabel } from "./bar-geometry.ts";

const plot = { height: 300, top: 10 };

test("bars stack from the zero line, to scale", () => {
  const { grid, bars, averageY } = barGeometry({
    ...plot,
    keys: ["a", "b"],
    average: 300,
    bars: [{ a: 300, b: 150 }, { a: 0 }],
  });

  expect(grid).toEqual([
    { value: 0, y: 310 },
    { value: 150, y: 210 },
    { value: 300, y: 110 },
    { value: 450, y: 10 },
  ]);
  expect(averageY).toBe(110);
  expect(bars[0]?.segments).toEqual([
    { key: "a", y: 110, height: 200 },
    { key: "b", y: 10, height: 100 },
  ]);
  expect(bars[0]?.top).toBe(10);
  expect(bars[1]).toMatchObject({ segments: [], top: 310 });
});

test("negative values extend down from the zero line", () => {
  const { grid, bars } = barGeometry({ ...plot, keys: ["a", "b"], average: 0, bars: [{ a: 200, b: -100 }] });
  const zero = grid.find(({ value }) => value === 0)?.y;
  expect(bars[0]?.segments).toEqual([
    { key: "a", y: 10, height: 200 },
    { key: "b", y: zero, height: 100 },
  ]);
});

test("bars are placed side by side in per cent of the width, without overlap", () => {
  const { bars } = barGeometry({ ...plot, keys: ["a"], average: 1, bars: Array.from({ length: 7 }, () => ({ a: 1 })) });
  const edges = bars.flatMap(({ x, width }) => [x, x + width]);
  expect(edges).toEqual([...edges].sort((a, b) => a - b));
  expect(edges[0]).toBeGreaterThan(0);
  expect(edges.at(-1)).toBeLessThan(100);
});

test("without points there is still a grid", () => {
  const { grid, bars } = barGeometry({ ...plot, keys: ["a"], average: 0, bars: [{ a: 0 }] });
  expect(grid.map(({ value }) => value)).toEqual([0, 1, 2, 3]);
  expect(bars[0]?.segments).toEqual([]);
});

test.each([
  [0, 1610, [0, 600, 1200, 1800]],
  [0, 75, [0, 25, 50, 75]],
  [0, 0.5, [0, 0.2, 0.4, 0.6]],
  [0, 1_000_001, [0, 400_000, 800_000, 1_200_000]],
  [-250, 500, [-250, 0, 250, 500]],
  [-1, 1000, [-500, 0, 500, 1000]],
  [0, 0.02, [0, 0.01, 0.02, 0.03]],
  [0, 0.04, [0, 0.02, 0.04, 0.06]],
  [0, 0.07, [0, 0.03, 0.06, 0.09]],
])("from %d to %d the grid has four round lines", (min, max, lines) => {
  expect(gridValues(min, max)).toEqual(lines);
});

test("the grid always has four distinct lines that include zero and enclose every value", () => {
  const amounts = fc
    .oneof(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map((value) => Math.round(value * 100) / 100);
  fc.assert(
    fc.property(amounts, amounts, (loss, gain) => {
      const lines = gridValues(-loss, gain);
      expect(lines).toHaveLength(4);
      expect(lines).toContain(0);
      expect(new Set(lines.map(formatNumber)).size).toBe(4);
      expect(lines[0]).toBeLessThanOrEqual(-loss);
      expect(lines[3]).toBeGreaterThanOrEqual(gain);
    }),
  );
});

test.each([7, 30, 90])("labels at most seven of %d bars, including the last", (count) => {
  const labelled = Array.from({ length: count }, (_, index) => index).filter((index) => showsLabel(index, count));
  expect(labelled.at(-1)).toBe(count - 1);
  expect(labelled.length).toBeGreaterThanOrEqual(6);
  expect(labelled.length).toBeLessThanOrEqual(7);
});
