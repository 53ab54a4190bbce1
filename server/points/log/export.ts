import { stringify } from "csv-stringify/sync";
import type { Deps } from "../../deps.ts";
import { FileAnswer } from "../../http/static/file-answer.ts";
import type { PointsLogFilter } from "../contract.ts";
import { findExportBatch, findKeptFrom } from "./export.queries.ts";
import { toLogRange, type LogRange } from "./log-range.ts";
import { utcDay } from "../utc-day.ts";

/** Rows that are in memory at a time: a few hundred kilobytes. */
const BATCH = 1000;
/** Comes before every id: nothing is skipped at the end of the range. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

type Row = Awaited<ReturnType<ReturnType<typeof findExportBatch>["execute"]>>[number];

/**
 * All rows of the member's log that a filter leaves, newest first, as comma-separated values. They are read in batches,
 * each by itself: no transaction and no connection is held while the reader takes their time.
 */
export async function exportLog(
  { db, now }: Pick<Deps, "db" | "now">,
  userId: string,
  filter: PointsLogFilter,
): Promise<FileAnswer> {
  const range = toLogRange(filter);
  const batches = readBatches({ db }, userId, range);
  // The first is there before the answer begins, so that a failure can still be told.
  const first = await batches.next();
  return new FileAnswer({
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

/** What earns by the heartbeat. */
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

type Asked = Pick<PointsLogFilter, "category"> & { range: LogRange | undefined };

/** A last line where heartbeats of the member and the range have no rows any more. */
async function explainGone({ db }: Pick<Deps, "db">, userId: string, { category, range }: Asked) {
  const [kept] = await findKeptFrom(db).execute({ userId });
  const since = kept?.at?.toISOString();
  if (!since || !range || range.from >= since || (category && category !== HEARTBEAT_CATEGORY)) return [];
  const words = "Heartbeats before this time are no longer listed one by one. The running total still counts them.";
  return [[since, HEARTBEAT_CATEGORY, "", words, "heartbeat", "", "", "", ""]];
}

/**
 * The byte order mark by which spreadsheets know UTF-8, the names of the columns, and the rows of a category or all.
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

/** RFC 4180, with nothing that a spreadsheet would take for a formula; numbers stay numbers, also those below zero. */
const toCsv = (records: (string | number)[][]) =>
  stringify(records, {
    record_delimiter: "windows",
    escape_formulas: true,
    // Many readers take a carriage return or a line feed alone for the end of a line.
    quoted_match: /[\r\n]/,
    cast: { string: disarm },
  });

/**
 * Beside what begins like a formula, which `escape_formulas` takes care of: what does so after blanks, which some
 * spreadsheets leave out, after a semicolon or a tab, which others divide columns by, and after the end of a line.
 */
const disarm = (text: string) =>
  text.replace(/^\s+(?=[=+\-@＝＋－＠])/, "'$&").replaceAll(/[;\t\r\n]\s*(?=[=+\-@＝＋－＠])/g, "$&'");

/** `points-log-rewards-2026-11-01-to-2026-11-20.csv`; without dates, the day that it was made on. */
function nameFile({ category, endDate, startDate }: PointsLogFilter, now: Date): string {
  const dates =
    startDate || endDate
      ? [startDate ? dayOf(startDate) : "start", "to", endDate ? dayOf(endDate) : utcDay(now)]
      : [utcDay(now)];
  return `${["points-log", ...(category ? [category.toLowerCase()] : []), ...dates].join("-")}.csv`;
}

const dayOf = (date: string) => date.slice(0, 10);
