import { expect, test } from "vitest";
import { describeDates } from "./points-log-filters.tsx";

test.each([
  ["", "", "All dates"],
  ["2026-11-14", "", "From 14 Nov 2026"],
  ["", "2026-11-20", "Until 20 Nov 2026"],
  ["2026-11-20", "2026-11-20", "20 Nov 2026"],
  ["2026-11-14", "2026-11-20", "14 – 20 Nov 2026"],
  ["2026-10-30", "2026-11-02", "30 Oct – 2 Nov 2026"],
  ["2025-12-30", "2026-01-02", "30 Dec 2025 – 2 Jan 2026"],
  ["2025-11-14", "2026-11-20", "14 Nov 2025 – 20 Nov 2026"],
])("describes the dates from %j to %j as %s", (start, end, text) => {
  expect(describeDates(start, end)).toBe(text);
});
