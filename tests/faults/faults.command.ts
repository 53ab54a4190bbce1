import { FAULTS } from "./faults.ts";
import { runFault } from "./run-fault.ts";
import { readNumber, readOptions, refuse } from "../support/command-options.ts";

/*
 * Puts the built product under load and breaks something. Checks what its members notice, whether anything acknowledged
 * is lost, and whether it recovers without help. With `--planted`, each run has a defect that it must find.
 */

const USAGE = `npm run faults -- [fault …] [--times 20] [--minutes 5] [--planted]

${FAULTS.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`).join("\n")}`;

const { positionals, values } = readOptions(USAGE, {
  allowPositionals: true,
  options: {
    times: { type: "string" },
    minutes: { type: "string" },
    planted: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => FAULTS.every((fault) => fault.name !== name));
if (unknown.length > 0) refuse(`There is no fault ${unknown.join(", ")}.`);
const { minutes, planted, times } = values;
const given = {
  ...(minutes !== undefined && { minutes: readNumber("--minutes", minutes) }),
  ...(times !== undefined && { times: readNumber("--times", times) }),
};
process.env.NODE_ENV = "production";
// Started processes end when this one exits, which a signal alone would not do.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const chosen = FAULTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const failed: string[] = [];
for (const fault of chosen) {
  if (!(await runFault(fault, { ...given, isPlanted: planted, print: console.log }))) failed.push(fault.name);
}
console.log(failed.length > 0 ? `\nFailed: ${failed.join(", ")}` : `\nAll of ${chosen.length} are as they should be.`);
process.exitCode = failed.length > 0 ? 1 : 0;
