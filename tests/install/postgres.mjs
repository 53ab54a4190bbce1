// Installs the oldest supported PostgreSQL from Debian's packages, for the tests that also run on it.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { installPackages, isRoot } from "./apt.mjs";

const PROGRAMS = "/usr/lib/postgresql/15/bin";
const SETTINGS = "/etc/postgresql-common/createcluster.d";

if (!existsSync(PROGRAMS) && isRoot) {
  // Only the programs: otherwise the package would create its own database and keep it running.
  mkdirSync(SETTINGS, { recursive: true });
  writeFileSync(`${SETTINGS}/no-cluster.conf`, "create_main_cluster = false\n");
  installPackages("postgresql-15");
}
if (!existsSync(PROGRAMS))
  console.log("There is no PostgreSQL 15 here, nor can apt install it: what runs on the oldest one is skipped.");
