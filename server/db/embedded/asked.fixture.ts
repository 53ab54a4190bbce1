import { pino } from "pino";
import { openDatabase } from "../client.ts";
import { isDatabaseUnavailable } from "../unavailable.ts";

/* A process with a database that executes requests from its parent and reports the results. */

export type Question = { ask: "status" | "check" | "numbers" } | { ask: "write"; number: number };
export type Request = Question & { id: number };

const database = await openDatabase({ dataDir: process.argv[2] ?? "", log: pino({ level: "silent" }) });
const { pool } = database;
await pool.query("create table if not exists written (number integer primary key, filler text storage external)");
process.on("message", (request: Request) => void respond(request));
process.send?.({ id: 0 });

async function respond(request: Request) {
  process.send?.({ id: request.id, answer: await answerTo(request) });
}

async function answerTo(request: Question): Promise<unknown> {
  if (request.ask === "status") return database.status();
  if (request.ask === "check") return database.check();
  if (request.ask === "write") return write(request.number);
  const { rows } = await pool.query<{ number: number }>("select number from written order by number");
  return rows.map(({ number }) => number);
}

/** Writes far more than what fits into the rest of a write-ahead log segment. */
async function write(number: number) {
  try {
    await pool.query(
      "insert into written select $1, string_agg(gen_random_uuid()::text, '') from generate_series(1, 150000)",
      [number],
    );
    return "written";
  } catch (error) {
    return isDatabaseUnavailable(error) ? "unavailable" : String(error);
  }
}
