import { setTimeout as wait } from "node:timers/promises";
import type { Address, Hex } from "viem";
import { openDatabase } from "../../db/client.ts";
import { chainJobs } from "../../db/schema.ts";
import { createLog } from "../../log/log.ts";
import { startWorker } from "../../jobs/worker.ts";
import { createWaker } from "../../jobs/waker.ts";
import { createChainWork } from "../worker.ts";
import { createRpcChain } from "./rpc-chain.ts";

/*
 * Works on the chain in a separate process, so that it can be killed. Ends once every job is completed. The only
 * argument is its settings.
 */

export type WorkerSettings = { dataDir: string; rpcUrl: string; factory: Address; adminKey: Hex; managerKey: Hex };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts it
const { dataDir, rpcUrl, ...station } = JSON.parse(process.argv[2] ?? "{}") as WorkerSettings;
const log = createLog({ level: "warn" });
const now = () => new Date();
const database = await openDatabase({ dataDir, log });
const { db } = database;
const chain = createRpcChain({ db, log, now, rpcUrls: [rpcUrl], ...station, timing: { poll: 20 } });
const options = { kinds: createChainWork(chain), schedules: {}, alone: true, pollInterval: 20 };
const stop = startWorker({ db, log, now, jobs: createWaker() }, options);
const isOver = ({ state }: { state: string }) => ["completed", "finalized", "failed"].includes(state);
for (let jobs = [{ state: "queued" }]; !jobs.every(isOver);) {
  await wait(20);
  jobs = await db.select({ state: chainJobs.state }).from(chainJobs);
}
await stop();
await database.close();
