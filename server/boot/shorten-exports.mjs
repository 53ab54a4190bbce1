// Runs after the dependencies are installed, on the machine's own Node: plain JavaScript, no dependency.
// Drizzle lists each of its 400 files in its package's `exports`. Node reads these 130 kB again for each of its
// modules, which costs a second of every start (docs/decisions/0069). Only the names of its folders are ever imported.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const path = join(process.cwd(), "node_modules/drizzle-orm/package.json");
/** A file in a folder, such as `./pg-core/columns/uuid`. Not the migrator of a driver. */
const FILE = /^\.\/[^/]+\/(?!migrator$)/;

if (existsSync(path)) {
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const exports = Object.fromEntries(Object.entries(manifest.exports).filter(([name]) => !FILE.test(name)));
  // Write a new file: the existing one may be shared with a package manager's store.
  writeFileSync(`${path}.short`, JSON.stringify({ ...manifest, exports }));
  renameSync(`${path}.short`, path);
}
