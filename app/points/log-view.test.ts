import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PointsCategory, PointsLogQuery, PointsRange } from "../../server/points/contract.ts";
import { CATEGORIES, dashboardHref, listLogRanges, RANGES, readDashboardView } from "./log-view.ts";

const read = (search: string) => readDashboardView(new URLSearchParams(search));
const usual = { range: "last7days", log: { page: 1, limit: 10 } };

// specification: 5.19, 9.16
test("without parameters, shows seven days and the first ten entries of the log", () => {
  expect(read("")).toEqual({ view: usual, notices: [], dateErrors: {} });
});

test("reads every parameter", () => {
  expect(read("range=30&page=3&category=Rewards&startDate=2026-11-01&endDate=2026-11-20&entry=0192-a")).toEqual({
    view: {
      range: "last30days",
      log: { page: 3, limit: 10, category: "Rewards", startDate: "2026-11-01", endDate: "2026-11-20" },
      entry: "0192-a",
    },
    notices: [],
    dateErrors: {},
  });
});

test("ignores empty fields of the filter form", () => {
  expect(read("category=&startDate=&endDate=%20&page=&range=")).toEqual({ view: usual, notices: [], dateErrors: {} });
});

test.each([
  ["range=8", "The chart can show 7, 30 or 90 days. Showing 7 days."],
  ["range=last30days", "The chart can show 7, 30 or 90 days. Showing 7 days."],
  ["page=0", "That is not a page number. Showing page 1."],
  ["page=-1", "That is not a page number. Showing page 1."],
  ["page=1.5", "That is not a page number. Showing page 1."],
  ["page=1e3", "That is not a page number. Showing page 1."],
  ["page=two", "That is not a page number. Showing page 1."],
  ["category=rewards", "There is no such category. Showing all categories."],
  ["entry=a%20b", "That is not an entry of the points log."],
  ["entry=export", "That is not an entry of the points log."],
])("ignores %s, and says so", (search, notice) => {
  expect(read(search)).toEqual({ view: usual, notices: [notice], dateErrors: {} });
});

const WRONG = "Use a date such as 2026-11-20. This one was left out.";

test.each([
  ["startDate", "2026-02-30"],
  ["startDate", "20.11.2026"],
  ["startDate", "0000-01-01"],
  ["endDate", "2026-13-01"],
  ["endDate", "2026-11-20T00:00:00Z"],
])("ignores %s=%s, but keeps what was typed", (name, typed) => {
  const dateErrors = { [name]: { typed, message: WRONG } };
  expect(read(`${name}=${typed}`)).toEqual({ view: usual, notices: [], dateErrors });
});

test("the first and the last date may be the same", () => {
  const { view, dateErrors } = read("startDate=2026-11-20&endDate=2026-11-20");
  expect(view.log).toEqual({ ...usual.log, startDate: "2026-11-20", endDate: "2026-11-20" });
  expect(dateErrors).toEqual({});
});

test("ignores a wrong date, but not the other one", () => {
  const { view, dateErrors } = read("startDate=soon&endDate=2026-11-19");
  expect(view.log).toEqual({ page: 1, limit: 10, endDate: "2026-11-19" });
  expect(dateErrors).toEqual({ startDate: { typed: "soon", message: WRONG } });
});

test("ignores both dates if the first is after the last, but keeps what was typed", () => {
  expect(read("startDate=2026-11-20&endDate=2026-11-19")).toEqual({
    view: usual,
    notices: [],
    dateErrors: {
      startDate: { typed: "2026-11-20", message: "This is after the last date. Showing all dates." },
      endDate: { typed: "2026-11-19", message: "" },
    },
  });
});

test("caps the page number at one million", () => {
  expect(read(`page=${"9".repeat(400)}`).view.log.page).toBe(1_000_000);
});

test("the address of a view contains only what differs from the defaults", () => {
  expect(dashboardHref(read("").view)).toBe("/dashboard");
  expect(dashboardHref(read("range=90&page=2&category=Others").view)).toBe(
    "/dashboard?range=90&page=2&category=Others",
  );
});

test("the preset date ranges end today, keep the other filters, and mark the current one", () => {
  const now = Date.parse("2026-11-20T23:59:59.999Z");
  const { view } = read("range=30&page=2&category=Rewards&startDate=2026-11-14&endDate=2026-11-20");
  const rest = "/dashboard?range=30&category=Rewards&startDate";
  expect(listLogRanges(view, now)).toEqual([
    { label: "7 days", href: `${rest}=2026-11-14&endDate=2026-11-20`, current: true },
    { label: "30 days", href: `${rest}=2026-10-22&endDate=2026-11-20`, current: false },
    { label: "90 days", href: `${rest}=2026-08-23&endDate=2026-11-20`, current: false },
  ]);
});

test("any address gives a valid API query, and the address of its view gives the same view", () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  );
  const name = fc.constantFrom("range", "page", "category", "startDate", "endDate", "entry");
  const params = fc.array(fc.tuple(name, value));
  fc.assert(
    fc.property(params, (entries) => {
      const { view } = readDashboardView(new URLSearchParams(entries));
      expect(PointsLogQuery.safeParse(view.log).success).toBe(true);
      expect(read(dashboardHref(view).split("?")[1] ?? "")).toEqual({ view, notices: [], dateErrors: {} });
    }),
  );
});

test("offers the categories and the ranges of the API", () => {
  expect(CATEGORIES).toEqual(PointsCategory.options);
  expect(RANGES.map(({ range }) => range)).toEqual(PointsRange.options);
});
