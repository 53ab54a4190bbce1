import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "../db/client.ts";
import { backgroundJobs, botCheckUses } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { createLog } from "../log/log.ts";
import { createWaker } from "./waker.ts";
import { lockLease } from "./queries.ts";
import { startWorker } from "./worker.ts";

/*
 * A process that runs jobs until there are none. Each job inserts one row with its key and the name of the process,
 * while it holds the lease. With `pauses`, the process says "holding" once it has taken jobs, and continues when the
 * parent says so, if it is still alive then.
 */

export type WorkerSettings = {
  name: string;
  pauses?: boolean;
  alone?: boolean;
  dataDir?: string;
  databaseUrl?: string;
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts it
const settings = JSON.parse(process.argv[2] ?? "{}") as WorkerSettings;
const { alone = false, dataDir = "", databaseUrl, name, pauses = false } = settings;
const log = createLog({ level: "error" });
const now = () => new Date();
const database = await openDatabase({ dataDir, databaseUrl, log });
const { db } = database;
const goOn = Promise.withResolvers<void>();
process.on("message", () => goOn.resolve());
if (!pauses) goOn.resolve();
let begun = 0;

const test = {
  atOnce: 5,
  lease: 3000,
  backOff: { first: 10, longest: 10 },
  async run(job: { kind: string; key: string; lease: string }) {
    begun += 1;
    if (pauses && begun === 5) process.send?.("holding");
    await goOn.promise;
    await inTransaction(db, async (tx) => {
      await lockLease(tx, job);
      await tx.insert(botCheckUses).values({ tokenId: `${job.key} by ${name}`, expiresAt: now() });
    });
  },
};
const stop = startWorker(
  { db, log, now, jobs: createWaker() },
  { kinds: { test }, schedules: {}, alone, pollInterval: 20 },
);
// A query sent before this would still be in transit when the test stops the process.
await goOn.promise;
while ((await db.$count(backgroundJobs)) > 0) await wait(20);
await stop();
await database.close();
process.disconnect();
