import { stringify } from "csv-stringify/sync";
import type { Deps } from "../../deps.ts";
import { FileResponse } from "../../http/static/file-response.ts";
import type { PointsLogFilter } from "../contract.ts";
import { findExportBatch, findKeptFrom } from "./export.queries.ts";
import { toLogRange, type LogRange } from "./log-range.ts";
import { utcDay } from "../utc-day.ts";

/** How many rows to hold in memory at once: a few hundred kilobytes. */
const BATCH = 1000;
/** Sorts before every id, so that nothing at the end of the range is skipped. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

type Row = Awaited<ReturnType<ReturnType<typeof findExportBatch>["execute"]>>[number];

/**
 * Exports all rows of the member's log that match a filter, newest first, as comma-separated values. Each batch is a
 * separate query: no transaction or connection is held while a slow client downloads.
 */
export async function exportLog(
  { db, now }: Pick<Deps, "db" | "now">,
  userId: string,
  filter: PointsLogFilter,
): Promise<FileResponse> {
  const range = toLogRange(filter);
  const batches = readBatches({ db }, userId, range);
  // Reads the first batch before the response begins, so that a failure can still be reported.
  const first = await batches.next();
  return new FileResponse({
    name: nameFile(filter, now()),
    mediaType: "text/csv",
    chunks: encode(resume(first, batches), filter.category, () => explainGone({ db }, userId, { ...filter, range })),
  });
}

async function* readBatches({ db }: Pick<Deps, "db">, userId: string, range: LogRange | undefined) {
  if (!range) return;
  let [beforeAt, beforeId] = [range.until, NO_ID];
  for (;;) {
    const rows = await findExportBatch(db).execute({ userId, from: range.from, beforeAt, beforeId, limit: BATCH });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    [beforeAt, beforeId] = [last.occurredAt.toISOString(), last.id];
  }
}

async function* resume<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>) {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** The category of heartbeats. */
const HEARTBEAT_CATEGORY = "Connectivity";

const COLUMNS = [
  "time",
  "category",
  "points",
  "comment",
  "source",
  "source id",
  "rule",
  "rule version",
  "running total",
];

type LogFilter = Pick<PointsLogFilter, "category"> & { range: LogRange | undefined };

/** Returns a last line if heartbeats of this member in this range are no longer listed. */
async function explainGone({ db }: Pick<Deps, "db">, userId: string, { category, range }: LogFilter) {
  const [kept] = await findKeptFrom(db).execute({ userId });
  const since = kept?.at?.toISOString();
  if (!since || !range || range.from >= since || (category && category !== HEARTBEAT_CATEGORY)) return [];
  const words = "Heartbeats before this time are no longer listed one by one. The running total still counts them.";
  return [[since, HEARTBEAT_CATEGORY, "", words, "heartbeat", "", "", "", ""]];
}

/**
 * Encodes the byte order mark, by which spreadsheets recognise UTF-8, the column names, and the rows of one category or
 * of all.
 */
async function* encode(
  batches: AsyncIterable<Row[]>,
  category: string | undefined,
  explain: () => Promise<string[][]>,
) {
  const encoder = new TextEncoder();
  yield encoder.encode(`\uFEFF${toCsv([COLUMNS])}`);
  for await (const rows of batches) {
    const wanted = category ? rows.filter((row) => row.category === category) : rows;
    if (wanted.length > 0) yield encoder.encode(toCsv(wanted.map(toRecord)));
  }
  const words = await explain();
  if (words.length > 0) yield encoder.encode(toCsv(words));
}

const toRecord = (row: Row) => [
  row.occurredAt.toISOString(),
  row.category,
  row.points,
  row.comment,
  row.source,
  row.sourceId,
  row.rule,
  row.ruleVersion,
  row.runningTotal,
];

/**
 * Writes RFC 4180, without anything that a spreadsheet would take for a formula. Numbers stay numbers, even negative
 * ones.
 */
const toCsv = (records: (string | number)[][]) =>
  stringify(records, {
    record_delimiter: "windows",
    escape_formulas: true,
    // Many readers treat a single carriage return or line feed as the end of a line.
    quoted_match: /[\r\n]/,
    cast: { string: escapeFormula },
  });

/**
 * Quotes formulas that `escape_formulas` misses, because it only looks at the start of a cell: after blanks, which some
 * spreadsheets skip; after a semicolon or a tab, which others treat as column separators; and after a line break.
 */
const escapeFormula = (text: string) =>
  text.replace(/^\s+(?=[=+\-@＝＋－＠])/, "'$&").replaceAll(/[;\t\r\n]\s*(?=[=+\-@＝＋－＠])/g, "$&'");

/**
 * Returns a name such as `points-log-rewards-2026-11-01-to-2026-11-20.csv`. Its days are in UTC, like those
 * of the log. Without dates, it contains the current day.
 */
function nameFile({ category, endDate, startDate }: PointsLogFilter, now: Date): string {
  const dates =
    startDate || endDate
      ? [startDate ? utcDay(new Date(startDate)) : "start", "to", utcDay(endDate ? new Date(endDate) : now)]
      : [utcDay(now)];
  return `${["points-log", ...(category ? [category.toLowerCase()] : []), ...dates].join("-")}.csv`;
}
