// Installs HAProxy from Debian's packages, for the tests of the proxy in deploy/.
import { existsSync } from "node:fs";
import { installPackages } from "./apt.mjs";

const PROGRAM = "/usr/sbin/haproxy";

if (!existsSync(PROGRAM)) installPackages("haproxy");
if (!existsSync(PROGRAM))
  console.log("There is no HAProxy here, nor can apt install it: the tests of the proxy are skipped.");
