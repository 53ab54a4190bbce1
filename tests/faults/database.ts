import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { Fault } from "./fault.ts";
import { runOutage } from "./outage.ts";
import { runOn } from "../support/database/test-database.ts";

const gone: Fault = {
  name: "database-gone",
  title: "The database is gone: connections break, and new ones are refused",
  finds: /all is well/,
  planted: {
    file: "server/db/server-watch.ts",
    from: "this.#found = found;",
    to: "if (!status.ok) this.#found = found;",
  },
  run: (report, options) =>
    runOutage(report, options, {
      begin: ({ wire }) => wire.cut(),
      end: ({ wire }) => wire.mend(),
      seconds: 8,
      recovery: 3,
    }),
};

const hung: Fault = {
  name: "database-hung",
  title:
    "The database hangs: it takes connections and statements, says nothing, and later answers on new connections alone",
  finds: /longer than 2 s/,
  planted: { file: "server/db/time-limits.ts", from: "REQUEST_TIMEOUT_MS = 1_500", to: "REQUEST_TIMEOUT_MS = 60_000" },
  run: (report, options) =>
    runOutage(report, options, {
      begin: ({ wire }) => wire.hang(),
      end: ({ wire }) => wire.forget(),
      seconds: 20,
      // Connections that were started while it hung are given up after five seconds.
      recovery: 8,
    }),
};

const slow: Fault = {
  name: "database-slow",
  title: "The database is slow: all its traffic takes 300 ms longer in each direction",
  finds: /longer than 2 s/,
  planted: { file: "server/db/time-budget.ts", from: "this.#left -= performance.now() - this.#since;", to: "" },
  run: (report, options) =>
    runOutage(report, options, {
      begin: ({ wire }) => wire.slowDown(300),
      end: ({ wire }) => wire.slowDown(0),
      seconds: 15,
      recovery: 3,
    }),
};

const CUT = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'nodebeat'";

const readOnly: Fault = {
  name: "database-read-only",
  title: "The database is read-only",
  finds: /each was done/,
  planted: { file: "server/db/unavailable.ts", from: 'READ_ONLY = "25006"', to: 'READ_ONLY = "00000"' },
  run: (report, options) =>
    runOutage(report, options, {
      async begin({ databaseUrl }) {
        await runOn(databaseUrl(), "alter database postgres set default_transaction_read_only = on");
        await runOn(databaseUrl(), CUT);
      },
      end: ({ databaseUrl }) =>
        runOn(
          databaseUrl(),
          "set transaction_read_only = off; alter database postgres reset default_transaction_read_only",
        ),
      seconds: 6,
      recovery: 6,
      reads: true,
    }),
};

/** Resets connections in a transaction, again and again. Resolves to how many. */
async function cutTransactions(databaseUrl: string, over: AbortSignal): Promise<number> {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  let cuts = 0;
  while (!over.aborted) {
    const { rowCount } = await admin.query(`${CUT} and xact_start is not null limit 1`);
    cuts += rowCount ?? 0;
    await pause(20);
  }
  await admin.end();
  return cuts;
}

const reset: Fault = {
  name: "database-reset",
  title: "Connections are reset in the middle of transactions, fifty times a second",
  finds: /by halves|^ledger/,
  planted: {
    file: "server/db/transaction.ts",
    from: "await db.transaction((tx) => currentTransaction.run(scope, async () => await work(tx)), config);",
    to: "await work(db as never);",
  },
  async run(report, options) {
    let over = new AbortController();
    let cuts = Promise.resolve(0);
    await runOutage(report, options, {
      begin({ databaseUrl }) {
        over = new AbortController();
        cuts = cutTransactions(databaseUrl(), over.signal);
      },
      async end() {
        over.abort();
        report.expect(`${await cuts} connections were reset in a transaction`, (await cuts) >= 20);
      },
      seconds: 8,
      recovery: 3,
    });
  },
};

export const DATABASE_FAULTS = [gone, hung, slow, readOnly, reset];
