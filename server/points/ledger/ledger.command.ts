import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { openDatabase } from "../../db/client.ts";
import { readEnv } from "../../env.ts";
import { createLog } from "../../log/log.ts";
import { StartError } from "../../start-error.ts";
import { checkLedger, describeDifference } from "./rebuild.ts";

const USAGE = `Compares every kept sum of points, heartbeats and referrals with the rows that it sums.

  npm run ledger            prints each difference; exit code 1 when there is one
  npm run ledger -- --fix   also writes the right sums, one transaction a member

Uses the database that the server uses. The embedded one must not be in use: stop the server first.`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { fix: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const fix = values.fix ?? false;
  const { databaseUrl, dataDir } = readEnv(process.env);
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog({ level: "warn" }) });
  try {
    const differences = await checkLedger(database.db, { fix });
    for (const difference of differences) console.log(describeDifference(difference));
    console.log(summarise(differences.length, fix));
    return differences.length > 0 && !fix ? 1 : 0;
  } finally {
    await database.close();
  }
}

function summarise(count: number, fix: boolean) {
  if (count === 0) return "No difference: every sum is what the ledger says.";
  const differences = count === 1 ? "1 difference" : `${count} differences`;
  return fix ? `${differences} put right.` : `${differences}. Run \`npm run ledger -- --fix\` to put them right.`;
}

if (existsSync(".env")) process.loadEnvFile();

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 2;
}
