import { expect, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { runFault } from "./run-fault.ts";

/** The whole of it is a command of its own (docs/faults.md): here only that it is not blind. */
test.concurrent.each(["database-read-only", "database-reset"])(
  "%s finds the defect that is planted for it",
  async (name) => {
    const fault = FAULTS.find((each) => each.name === name);
    if (!fault) throw new Error(`There is no fault ${name}`);
    const lines: string[] = [];
    const isFound = await runFault(fault, { isPlanted: true, times: 1, seconds: 2, say: (line) => lines.push(line) });
    expect({ isFound, lines }).toMatchObject({ isFound: true });
  },
);
