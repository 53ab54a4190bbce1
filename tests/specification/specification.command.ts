import { holdSpecification } from "./specification.ts";
import { TABLE } from "./table.ts";
import { readOptions } from "../support/command-options.ts";

const USAGE = `Writes ${TABLE}: each sentence of the specification, with the tests that show it.

  npm run specification              writes it
  npm run specification -- --check   says whether it is as it should be, and changes nothing

A test says what it shows by a line above it: // specification: 2.14, 4.3
Ends with an error for a sentence without a test, for a marker without a sentence, and for a table that is out of date.`;

const { values } = readOptions(USAGE, { options: { check: { type: "boolean" } } });

const problems = holdSpecification(process.cwd(), values);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
