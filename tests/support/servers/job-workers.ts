import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Db } from "../../../server/db/client.ts";
import { botCheckUses } from "../../../server/db/schema.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { enqueue } from "../../../server/jobs/queries.ts";
import type { WorkerSettings } from "../../../server/jobs/worker.fixture.ts";
import { QUICK_ENGINE } from "./quick-engine.ts";

const fixture = new URL("../../../server/jobs/worker.fixture.ts", import.meta.url);

/** Starts a process that runs jobs until there are none. */
export const forkWorker = (settings: WorkerSettings): ChildProcess =>
  fork(fixture, [JSON.stringify(settings)], { execArgv: QUICK_ENGINE, stdio: ["ignore", "inherit", "inherit", "ipc"] });

/** Resolves once a worker that pauses holds jobs. Throws if it ends before that. */
export async function waitForHeldJobs(worker: ChildProcess): Promise<void> {
  const ended = once(worker, "exit").then(() => Promise.reject(new Error("A worker ended before it had anything")));
  await Promise.race([once(worker, "message"), ended]);
}

export const postJobs = (db: Db, count: number) =>
  inTransaction(db, async (tx) => {
    for (let index = 0; index < count; index += 1) {
      await enqueue(tx, { kind: "test", key: `job-${index}`, dueAt: new Date() });
    }
  });

/** Returns which jobs took effect, once for each time, and in which worker. */
export async function readEffects(db: Db) {
  const rows = await db.select().from(botCheckUses);
  return rows.map(({ tokenId }) => {
    const [key = "", name = ""] = tokenId.split(" by ");
    return { key, name };
  });
}
