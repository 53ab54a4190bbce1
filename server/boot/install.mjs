// Installs the dependencies in the lock file, unless they are the ones that are installed already.
// Runs before anything is installed, on the machine's own Node: plain JavaScript, no dependency.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import "./check-node.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const stamp = `${root}node_modules/.installed`;
const wanted = createHash("sha256")
  .update(readFileSync(`${root}package-lock.json`))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  console.log("Installing dependencies …");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, wanted);
}
