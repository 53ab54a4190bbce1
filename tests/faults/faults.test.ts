import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { runFault } from "./run-fault.ts";

test.each(FAULTS)("the code that $name changes occurs exactly once in its file", ({ planted: { file, from } }) => {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  expect(source.split(from)).toHaveLength(2);
});

/** The complete run is a command (docs/faults.md). This test only checks that the command is not blind. */
test("database-read-only finds its planted defect", async () => {
  const fault = FAULTS.find(({ name }) => name === "database-read-only");
  if (!fault) throw new Error("There is no such fault");
  const lines: string[] = [];
  const isFound = await runFault(fault, { isPlanted: true, times: 1, seconds: 2, print: (line) => lines.push(line) });
  expect({ isFound, lines }).toMatchObject({ isFound: true });
});
