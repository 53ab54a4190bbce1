// Runs after the dependencies are installed, on the machine's own Node: plain JavaScript, no dependency.
// Drizzle names each of its 400 files in its package's `exports`, 130 kB, which Node reads once more for every one of
// its modules: a second of each start (docs/decisions/0069). Its folders' own names are all that anybody imports.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const path = join(process.cwd(), "node_modules/drizzle-orm/package.json");
/** A file in a folder, as `./pg-core/columns/uuid`; beside a driver there is its migrator. */
const FILE = /^\.\/[^/]+\/(?!migrator$)/;

if (existsSync(path)) {
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const exports = Object.fromEntries(Object.entries(manifest.exports).filter(([name]) => !FILE.test(name)));
  // A file of its own: the one that is there may be shared with a package manager's store.
  writeFileSync(`${path}.short`, JSON.stringify({ ...manifest, exports }));
  renameSync(`${path}.short`, path);
}
