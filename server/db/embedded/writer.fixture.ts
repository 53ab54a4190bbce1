import { pino } from "pino";
import { openDatabase } from "../client.ts";

/*
 * A process that writes to the database under the given folder, and prints each number once its transaction is
 * acknowledged. Continues after the last number in the database, until it is killed.
 */

const { pool } = await openDatabase({ dataDir: process.argv[2] ?? "", log: pino({ level: "silent" }) });
await pool.query("create table if not exists written (number integer primary key, filler text)");
await pool.query("create table if not exists sums (id integer primary key, numbers bigint)");
await pool.query("insert into sums values (1, 0) on conflict do nothing");
const { rows } = await pool.query<{ last: number }>("select coalesce(max(number), 0) as last from written");

for (let number = (rows[0]?.last ?? 0) + 1; ; number += 1) {
  const client = await pool.connect();
  await client.query("begin");
  await client.query("insert into written values ($1, $2)", [number, String(number).repeat(500)]);
  await client.query("update sums set numbers = numbers + $1", [number]);
  await client.query("commit");
  client.release();
  process.stdout.write(`${number}\n`);
  if (number % 40 === 0) await pool.query("checkpoint");
}
