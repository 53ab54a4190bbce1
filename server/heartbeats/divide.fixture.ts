import { OPERATOR } from "../administration/actor.ts";
import { openDatabase } from "../db/client.ts";
import { createLog } from "../log/log.ts";
import { divideTable } from "../months/divide.ts";
import { LEDGER } from "../points/ledger/monthly.ts";
import { HEARTBEATS } from "./monthly.ts";

/* A process that divides a table a few rows at a time, and says when some are copied. Its parent may kill it then. */

const [databaseUrl, name] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl, dataDir: "", log: createLog({ level: "error" }) });
const tell = (line: string) => void process.send?.(line);
await divideTable(
  { db: database.db, now: () => new Date(), tell, batch: 10 },
  { actor: OPERATOR, reason: "A test" },
  name === LEDGER.name ? LEDGER : HEARTBEATS,
);
await database.close();
process.disconnect();
