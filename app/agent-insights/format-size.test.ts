import { expect, test } from "vitest";
import { formatSize } from "./format-size.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1500, "1,5 kB"],
  [999_990, "999,99 kB"],
  [999_999, "1 MB"],
  [20_250_000, "20,25 MB"],
  [3_000_000_000_000_000, "3.000 TB"],
  [Number.NaN, "–"],
])("%d bytes are shown as %s", (bytes, shown) => {
  expect(formatSize(bytes).replaceAll("\u00a0", " ")).toBe(shown);
});
