import type { PointsCategory, PointsRange } from "../../server/points/contract.ts";
import type { PageQuery, PointsLogQuery } from "../api/reads.ts";

/** What of the dashboard's data the address asks for. */
export type DashboardView = { range: PointsRange; log: PointsLogQuery };

export const LOG_PAGE_SIZE = 10;
/** The further list of the dashboard (product specification, section 2; design 3.12: content points). */
export const CONTENT_PAGE: PageQuery = { page: 1, limit: 5 };

/** The choices of the chart's range: days in the address, and the API's name for them. */
export const RANGES = [
  { days: "7", range: "last7days" },
  { days: "30", range: "last30days" },
  { days: "90", range: "last90days" },
] as const satisfies { days: string; range: PointsRange }[];

export const CATEGORIES = ["Connectivity", "Referral", "Rewards", "Others"] as const satisfies PointsCategory[];

/** As many pages as the API counts. */
const MAX_PAGE = 1_000_000;
const FIRST_DAY = "1970-01-01";

/**
 * Reads an address such as `/dashboard?range=30&page=2&category=Rewards&startDate=2026-11-01`.
 * What makes no sense is left out, and `notices` says so in words for the reader.
 */
export function readDashboardView(params: URLSearchParams): { view: DashboardView; notices: string[] } {
  const notices: string[] = [];
  /** The value of a parameter; undefined without one, and with a notice when `accept` finds no sense in it. */
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
  let startDate = read("startDate", toDay, "The first date is not a date. It was left out.");
  let endDate = read("endDate", toDay, "The last date is not a date. It was left out.");
  if (startDate && endDate && startDate > endDate) {
    notices.push("The first date is after the last date. Showing all dates.");
    startDate = endDate = undefined;
  }
  const filters = { ...(category && { category }), ...(startDate && { startDate }), ...(endDate && { endDate }) };
  return { view: { range, log: { page, limit: LOG_PAGE_SIZE, ...filters } }, notices };
}

const findRange = (text: string): PointsRange | undefined => RANGES.find(({ days }) => days === text)?.range;

const findCategory = (text: string): PointsCategory | undefined => CATEGORIES.find((category) => category === text);

function toPage(text: string): number | undefined {
  const page = Number(text);
  return /^\d+$/.test(text) && page >= 1 ? Math.min(page, MAX_PAGE) : undefined;
}

/** A calendar day that exists, since the first one any point could be from. */
function toDay(text: string): string | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && text >= FIRST_DAY ? text : undefined;
}

/** The address of a view; what is as usual is left out of it. */
export function dashboardHref({ range, log }: DashboardView): string {
  const days = RANGES.find((choice) => choice.range === range)?.days;
  const params = Object.entries({
    range: days === "7" ? undefined : days,
    page: log.page === 1 ? undefined : String(log.page),
    category: log.category,
    startDate: log.startDate,
    endDate: log.endDate,
  }).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return params.length > 0 ? `/dashboard?${new URLSearchParams(params)}` : "/dashboard";
}
