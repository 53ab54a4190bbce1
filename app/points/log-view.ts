import { toPage } from "../ui/table/pagination.ts";
import { withParams } from "../ui/with-params.ts";
import type { PointsCategory, PointsRange } from "../../server/points/contract.ts";
import type { PointsLogFilter, PointsLogQuery } from "./reads.ts";

/** Which of the dashboard's data the address asks for. */
export type DashboardView = {
  range: PointsRange;
  log: PointsLogQuery;
  /** The open row of the log. */
  entry?: string | undefined;
};

/** Invalid dates of the log's filter, as they were typed, and why they were ignored. */
export type DateErrors = { [Name in "startDate" | "endDate"]?: { typed: string; message: string } };

type RequestedView = {
  view: DashboardView;
  /** What else in the address was ignored, in words. */
  notices: string[];
  dateErrors: DateErrors;
};

const LOG_PAGE_SIZE = 10;
/** The dashboard's other list (product specification, section 2; design 3.12: content points). */
export const CONTENT_PAGE = { page: 1, limit: 5 };

/** The ranges of the chart: days in the address, and the API's names for them. */
export const RANGES = [
  { days: "7", range: "last7days" },
  { days: "30", range: "last30days" },
  { days: "90", range: "last90days" },
] as const satisfies { days: string; range: PointsRange }[];

export const CATEGORIES = ["Connectivity", "Referral", "Rewards", "Others"] as const satisfies PointsCategory[];

const FIRST_DAY = "1970-01-01";

/**
 * Reads an address such as `/dashboard?range=30&page=2&category=Rewards&startDate=2026-11-01`.
 * Ignores what is invalid. `notices` and `dateErrors` say so in words.
 */
export function readDashboardView(params: URLSearchParams): RequestedView {
  const notices: string[] = [];
  /** Returns the value of a parameter. Returns undefined without one, or with a notice if `accept` rejects it. */
  function read<T>(name: string, accept: (text: string) => T | undefined, notice: string): T | undefined {
    const text = params.get(name)?.trim();
    if (!text) return undefined;
    const value = accept(text);
    if (value === undefined) notices.push(notice);
    return value;
  }

  const range = read("range", findRange, "The chart can show 7, 30 or 90 days. Showing 7 days.") ?? "last7days";
  const page = read("page", toPage, "That is not a page number. Showing page 1.") ?? 1;
  const category = read("category", findCategory, "There is no such category. Showing all categories.");
  const { dateErrors, ...dates } = readDates(params);
  const entry = read("entry", toEntry, "That is not an entry of the points log.");
  const log = { page, limit: LOG_PAGE_SIZE, ...(category && { category }), ...dates };
  return { view: { range, log, ...(entry && { entry }) }, notices, dateErrors };
}

type Dates = Pick<PointsLogQuery, "startDate" | "endDate"> & { dateErrors: DateErrors };

function readDates(params: URLSearchParams): Dates {
  const dateErrors: DateErrors = {};
  function read(name: keyof DateErrors): string | undefined {
    const typed = params.get(name)?.trim();
    const day = typed && toDay(typed);
    if (typed && !day) dateErrors[name] = { typed, message: "Use a date such as 2026-11-20. This one was left out." };
    return day;
  }
  const [startDate, endDate] = [read("startDate"), read("endDate")];
  if (startDate && endDate && startDate > endDate) {
    const message = "This is after the last date. Showing all dates.";
    return { dateErrors: { startDate: { typed: startDate, message }, endDate: { typed: endDate, message: "" } } };
  }
  return { ...(startDate && { startDate }), ...(endDate && { endDate }), dateErrors };
}

const findRange = (text: string): PointsRange | undefined => RANGES.find(({ days }) => days === text)?.range;

const findCategory = (text: string): PointsCategory | undefined => CATEGORIES.find((category) => category === text);

/** Accepts an id. `export` is not one: at that address, the API serves the log as a file. */
const toEntry = (text: string): string | undefined =>
  /^[\w-]{1,64}$/.test(text) && text !== "export" ? text : undefined;

/** Accepts a calendar day that exists, from the first day that any points could be from. */
export function toDay(text: string): string | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && text >= FIRST_DAY ? text : undefined;
}

/** Returns the address of a view. Defaults are left out. */
export function dashboardHref({ range, log, entry }: DashboardView): string {
  const days = RANGES.find((choice) => choice.range === range)?.days;
  return withParams("/dashboard", {
    range: days === "7" ? undefined : days,
    page: log.page === 1 ? undefined : log.page,
    ...pickFilter(log),
    entry,
  });
}

const DAY_MS = 86_400_000;
const dayBefore = (now: number, days: number) => new Date(now - days * DAY_MS).toISOString().slice(0, 10);

/**
 * Lists the log's usual date ranges, which are as long as the chart's. They end today, on the UTC day of `now`, in
 * milliseconds.
 */
export function listLogRanges({ range, log }: DashboardView, now: number) {
  return RANGES.map(({ days }) => {
    const [startDate, endDate] = [dayBefore(now, Number(days) - 1), dayBefore(now, 0)];
    const href = dashboardHref({ range, log: { ...log, page: 1, startDate, endDate } });
    return { label: `${days} days`, href, current: log.startDate === startDate && log.endDate === endDate };
  });
}

/** Returns the address without the log's filters. */
export const unfilteredHref = ({ range, log: { limit } }: DashboardView): string =>
  dashboardHref({ range, log: { page: 1, limit } });

/** Returns the address of the log as a file: all rows that match the filter, from every page. */
export const logFileHref = (log: PointsLogFilter): string => withParams("/points/export", pickFilter(log));

/** Picks what does not depend on the page from a query of the log. */
export const pickFilter = ({ category, startDate, endDate }: PointsLogFilter) => ({ category, startDate, endDate });
