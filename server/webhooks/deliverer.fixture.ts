import { once } from "node:events";
import { openDatabase } from "../db/client.ts";
import { startWorker } from "../jobs/worker.ts";
import { createWaker } from "../jobs/waker.ts";
import { createLog } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createWebhookDelivery } from "./deliver.ts";
import { openOutgoing } from "./outgoing.ts";

/* A process that sends queued webhook messages until its parent tells it to end. */

export type DelivererSettings = {
  databaseUrl: string;
  sessionSecret: string;
  /** The certificate authority to trust for receivers. */
  ca: string;
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts it
const { ca, databaseUrl, sessionSecret } = JSON.parse(process.argv[2] ?? "{}") as DelivererSettings;
const log = createLog({ level: "error" });
const now = () => new Date();
const database = await openDatabase({ dataDir: "", databaseUrl, log });
const outgoing = openOutgoing([sessionSecret], { toPrivate: true });
const deps = { db: database.db, log, now, outgoing, metrics: createMetrics(), jobs: createWaker() };
const stop = startWorker(deps, {
  kinds: createWebhookDelivery(deps, { ca }),
  schedules: {},
  alone: false,
  pollInterval: 10,
});
await once(process, "message");
await stop();
await database.close();
process.disconnect();
