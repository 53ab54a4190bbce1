import * as z from "zod";
import { administer } from "../../administration/service.ts";
import { divideHeartbeats } from "../../heartbeats/divide.ts";
import { removeOldMonths } from "../../heartbeats/old-months.ts";
import { readMonths } from "../../heartbeats/months-report.ts";
import { changing, reading, type Noun } from "../operation.ts";

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

/** What an operator does about tables that are divided by month. */
export const monthVerbs: Noun["verbs"] = {
  status: reading({
    usage: "",
    summary: "whether heartbeats are divided by month, how large each month is, and how far dividing has come",
    input: z.object({}),
    read: ({ db }) => readMonths(db),
    describe: ({ copied, divided, keptFrom, parts }) => [
      divided
        ? "Heartbeats are divided by month."
        : "Heartbeats are in one table. Divide it with: npm run ops -- database partition --reason <why>",
      ...(copied === null ? [] : [`They are being divided: ${copied} rows are copied.`]),
      ...(keptFrom ? [`What was before ${keptFrom} is kept in sums alone.`] : []),
      ...parts.map(({ bytes, name, rows }) => `${name}  ${megabytes(bytes)}, about ${rows} rows`),
    ],
  }),
  partition: changing({
    usage: "",
    summary: "divides heartbeats by month while servers run; done again, it goes on where it was stopped",
    input: z.object({}),
    change: (deps, act) => divideHeartbeats(deps, act),
    describe: ({ copied, divided }) => [
      divided ? `Heartbeats are divided by month: ${copied} rows were copied.` : "They were divided by month already.",
    ],
  }),
  retire: changing({
    usage: "--months <number>",
    summary: "removes heartbeats of months before the last so many, whose sums are kept: as housekeeping does",
    options: { months: "number" },
    input: z.object({ months: z.number("Say how many months are kept.").int().min(1).max(1200) }),
    async change(deps, act, { months }) {
      const removed = await removeOldMonths(deps, months);
      await administer(deps, act, (_, note) =>
        note({ action: "database.retired", subject: "job", subjectId: "heartbeats", details: { months, removed } }),
      );
      return removed;
    },
    describe: (removed) =>
      removed.length === 0 ? ["Nothing is that old."] : removed.map((name) => `Removed ${name}.`),
  }),
};
