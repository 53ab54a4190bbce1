// Installs PgBouncer from Debian's packages, for the tests of a database behind a pooler.
import { existsSync } from "node:fs";
import { installPackages } from "./apt.mjs";

const PROGRAM = "/usr/sbin/pgbouncer";

if (!existsSync(PROGRAM)) installPackages("pgbouncer");
if (!existsSync(PROGRAM))
  console.log("There is no PgBouncer here, nor can apt install it: the tests of a pooler are skipped.");
