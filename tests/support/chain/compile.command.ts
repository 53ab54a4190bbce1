import { writeFileSync } from "node:fs";
import { ARTIFACTS_PATH, compileContracts } from "./compile.ts";

writeFileSync(ARTIFACTS_PATH, `${JSON.stringify(compileContracts(), null, 2)}\n`);
console.log("Compiled the test contracts.");
