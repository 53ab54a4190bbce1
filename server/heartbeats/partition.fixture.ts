import { OPERATOR } from "../administration/actor.ts";
import { openDatabase } from "../db/client.ts";
import { createLog } from "../log/log.ts";
import { partitionTable } from "../months/partition.ts";
import { LEDGER } from "../points/ledger/monthly.ts";
import { HEARTBEATS } from "./monthly.ts";

/* Partitions both tables, a few rows per batch, and reports progress to its parent, which may kill it at any point. */

const [databaseUrl] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl, dataDir: "", log: createLog({ level: "error" }) });
const report = (line: string) => void process.send?.(line);
const deps = { db: database.db, now: () => new Date(), report, batch: 10 };
for (const table of [HEARTBEATS, LEDGER]) await partitionTable(deps, { actor: OPERATOR, reason: "A test" }, table);
await database.close();
process.disconnect();
