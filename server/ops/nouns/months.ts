import * as z from "zod";
import { administer } from "../../administration/service.ts";
import type { Db } from "../../db/client.ts";
import { isPartitioned } from "../../db/months.ts";
import { AppError } from "../../errors.ts";
import { HEARTBEATS } from "../../heartbeats/monthly.ts";
import { partitionTable, type Partitioning } from "../../months/partition.ts";
import { dropMonth } from "../../months/old-months.queries.ts";
import { removeOldMonths } from "../../months/old-months.ts";
import { readMonths } from "../../months/report.queries.ts";
import { LEDGER } from "../../points/ledger/monthly.ts";
import { formatCount } from "../../format-count.ts";
import { changing, reading, type Noun } from "../operation.ts";

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

/** The tables by their names on the command line. */
const TABLES = { heartbeats: HEARTBEATS, ledger: LEDGER };

const PARTITION_IT = "Divide it with: npm run ops -- database partition --reason <why>";

type Months = Awaited<ReturnType<typeof readMonths>>;

const describeMonths = ({ copied, divided, keptFrom, parts, rows }: Months): string[] => [
  divided ? `${rows}: divided by month.` : `${rows}: one table. ${PARTITION_IT}`,
  ...(copied === null ? [] : [`Being divided: ${formatCount(copied, "row")} copied so far.`]),
  ...(keptFrom ? [`Of heartbeats from before ${keptFrom}, only sums are left here.`] : []),
  ...parts.map(
    (part) =>
      `${part.name}  ${megabytes(part.bytes)}, ${part.rows === null ? "rows not counted yet" : `about ${formatCount(part.rows, "row")}`}`,
  ),
];

async function readAll(db: Db): Promise<Months[]> {
  const all: Months[] = [];
  for (const table of Object.values(TABLES)) all.push(await readMonths(db, table));
  return all;
}

/** What an operator can do about tables that are partitioned by month. */
export const monthVerbs: Noun["verbs"] = {
  status: reading({
    usage: "",
    summary: "shows which tables are divided by month, the size of each month, and progress",
    input: z.object({}),
    read: ({ db }) => readAll(db),
    describe: (all) => all.flatMap(describeMonths),
  }),
  partition: changing({
    usage: "",
    summary: "divides heartbeats and the ledger by month while servers run; run it again to continue after a stop",
    input: z.object({}),
    async change(deps, act) {
      const done: Partitioning[] = [];
      for (const table of Object.values(TABLES)) done.push(await partitionTable(deps, act, table));
      return done;
    },
    describe: (done) =>
      done.map(({ copied, divided, rows }) =>
        divided
          ? `${rows}: divided by month, ${formatCount(copied, "row")} copied.`
          : `${rows}: already divided by month.`,
      ),
  }),
  retire: changing({
    usage: "--months <number> [--of heartbeats|ledger]",
    summary: "removes heartbeats, or their ledger rows, from before the last <number> months, and keeps their sums",
    options: { months: "number", of: "text" },
    input: z.object({
      months: z.number("Say how many months to keep, with --months <number>.").int().min(1).max(1200),
      of: z.enum(["heartbeats", "ledger"], "Say --of heartbeats or --of ledger.").default("heartbeats"),
    }),
    async change(deps, act, { months, of }) {
      const { name, rows } = TABLES[of];
      if (!(await isPartitioned(deps.db, name)))
        throw new AppError("CONFLICT", `${rows}: one table, so no month can be removed. ${PARTITION_IT}`);
      // One transaction and one audit entry per month: if a later month is in use, the earlier ones are gone already.
      const drop = (month: string) =>
        administer(deps, act, async (tx, note) => {
          await dropMonth(tx, month);
          const details = { months, removed: [month] };
          await note({ action: "database.retired", subject: "job", subjectId: name, details });
        });
      return removeOldMonths({ ...deps, drop }, TABLES[of], months);
    },
    describe: (removed) =>
      removed.length === 0 ? ["There is nothing that old."] : removed.map((name) => `Removed ${name}.`),
  }),
};
