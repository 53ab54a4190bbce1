import { OPERATOR } from "../administration/actor.ts";
import { openDatabase } from "../db/client.ts";
import { createLog } from "../log/log.ts";
import { divideHeartbeats } from "./divide.ts";

/* A process that divides heartbeats a few rows at a time, and says when some are copied. Its parent may kill it then. */

const [databaseUrl] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl, dataDir: "", log: createLog({ level: "error" }) });
const tell = (line: string) => void process.send?.(line);
await divideHeartbeats(
  { db: database.db, now: () => new Date(), tell, batch: 50 },
  { actor: OPERATOR, reason: "A test" },
);
await database.close();
process.disconnect();
