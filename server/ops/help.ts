import { NOUNS } from "./nouns.ts";
import type { OperationName } from "./arguments.ts";

const COMMAND = "npm run ops --";

const ENDING = `  --json    prints the result as JSON
  --help    lists the verbs of a noun

Verbs that are shown with --reason <why> need one, which is kept for good. Exit codes: 0 done, 1 refused, 2 wrong use.
With PostgreSQL the command opens the database itself. With the embedded database it asks the running server, or opens it if none is running.`;

/** Describes how to use the command: all nouns, or the verbs of one. */
export function describeUse({ noun }: Pick<OperationName, "noun">): string {
  const { verbs } = NOUNS[noun] ?? {};
  if (!verbs) {
    const width = Math.max(...Object.keys(NOUNS).map(({ length }) => length));
    const nouns = Object.entries(NOUNS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
    return [`${COMMAND} <noun> <verb> …`, "", ...nouns, "", ENDING].join("\n");
  }
  const uses = Object.entries(verbs).flatMap(([verb, { isChange, summary, usage }]) => [
    `  ${[noun, verb, usage, isChange ? "--reason <why>" : ""].filter(Boolean).join(" ")}`,
    `      ${summary}`,
  ]);
  return [`${COMMAND} <noun> <verb> …`, "", ...uses, "", ENDING].join("\n");
}
