import { Client } from "pg";
import type { Fault } from "./fault.ts";
import { sufferOutage } from "./outage.ts";
import { runOn } from "../support/test-database.ts";

/** What becomes of the database, and of the way to it. */

const gone: Fault = {
  name: "database-gone",
  title: "The database is gone: connections break, and new ones are refused",
  planted: { file: "server/db/server-watch.ts", from: "this.#status = status;\n    this.start(pool);", to: "this.#status = status;" },
  run: (report, options) =>
    sufferOutage(report, options, {
      begin: ({ wire }) => wire.cut(),
      end: ({ wire }) => wire.mend(),
      seconds: 8,
      recovery: 3,
    }),
};

const hung: Fault = {
  name: "database-hung",
  title: "The database hangs: it takes connections and statements, and says nothing",
  planted: { file: "server/db/time-limits.ts", from: "ANSWER_LIMIT = 1_500", to: "ANSWER_LIMIT = 60_000" },
  run: (report, options) =>
    sufferOutage(report, options, {
      begin: ({ wire }) => wire.hang(),
      end: ({ wire }) => wire.goOn(),
      seconds: 20,
      recovery: 3,
    }),
};

const slow: Fault = {
  name: "database-slow",
  title: "The database is slow: every word of it takes 300 ms longer, each way",
  planted: { file: "server/db/patience.ts", from: "this.#left -= performance.now() - this.#since;", to: "" },
  run: (report, options) =>
    sufferOutage(report, options, {
      begin: ({ wire }) => wire.slowDown(300),
      end: ({ wire }) => wire.slowDown(0),
      seconds: 15,
      recovery: 3,
    }),
};

const CUT = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'nodebeat'";

const readOnly: Fault = {
  name: "database-read-only",
  title: "The database can only be read",
  planted: { file: "server/db/unavailable.ts", from: 'READ_ONLY = "25006"', to: 'READ_ONLY = "00000"' },
  run: (report, options) =>
    sufferOutage(report, options, {
      async begin({ databaseUrl }) {
        await runOn(databaseUrl, "alter database postgres set default_transaction_read_only = on");
        await runOn(databaseUrl, CUT);
      },
      end: ({ databaseUrl }) =>
        runOn(databaseUrl, "set transaction_read_only = off; alter database postgres reset default_transaction_read_only"),
      seconds: 6,
      recovery: 6,
    }),
};

const reset: Fault = {
  name: "database-reset",
  title: "Connections are reset in the middle of transactions, fifty times a second",
  planted: {
    file: "server/db/transaction.ts",
    from: "await db.transaction((tx) => currentTransaction.run(scope, async () => await work(tx)), config);",
    to: "await work(db as never);",
  },
  async run(report, options) {
    let cutting: NodeJS.Timeout | undefined;
    let client: Client | undefined;
    let cuts = 0;
    await sufferOutage(report, options, {
      async begin({ databaseUrl }) {
        const admin = new Client({ connectionString: databaseUrl });
        client = admin;
        await admin.connect();
        cutting = setInterval(() => {
          // One that is in a transaction at this moment, or else nobody.
          const one = `${CUT} and state in ('active', 'idle in transaction') and xact_start is not null limit 1`;
          void admin.query(one).then(({ rowCount }) => (cuts += rowCount ?? 0));
        }, 20);
      },
      async end() {
        clearInterval(cutting);
        await client?.end();
        report.expect(`${cuts} connections were reset in a transaction`, cuts >= 20);
      },
      seconds: 8,
      recovery: 3,
    });
  },
};

export const DATABASE_FAULTS = [gone, hung, slow, readOnly, reset];
