import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { openDatabase } from "../client.ts";

/** A folder with an empty database, to copy from: making one takes seconds. */
export async function createFreshFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "nodebeat-fresh-"));
  const database = await openDatabase({ dataDir: folder, log: pino({ level: "silent" }) });
  await database.close();
  return folder;
}
