import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { createClusterFolder } from "./cluster-folder.ts";

/* The counterpart of the writer on stock PGlite, which forces nothing to disk. */

const folder = join(process.argv[2] ?? "", "db", "postgres");
await createClusterFolder(folder);
const engine = await PGlite.create(folder);
await engine.exec("create table if not exists written (number integer primary key, filler text)");
for (let number = 1; ; number += 1) {
  await engine.query("insert into written values ($1, $2)", [number, "stock"]);
  process.stdout.write(`${number}\n`);
}
