import { writeFileSync } from "node:fs";
import { ARTIFACTS_PATH, compileContracts } from "./compile.ts";
import { readOptions } from "../command-options.ts";

readOptions("npm run chain:compile      compiles the contracts of the tests anew", {});

writeFileSync(ARTIFACTS_PATH, `${JSON.stringify(compileContracts(), null, 2)}\n`);
console.log("Compiled the test contracts.");
