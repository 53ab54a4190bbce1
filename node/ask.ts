import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Asks the person at the terminal. What they type is shown unless it is secret. */
export async function ask(question: string, { secret, signal }: { secret: boolean; signal: AbortSignal }) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (secret) process.stdout.write(question);
  const terminal = createInterface({ input: process.stdin, output: secret ? nowhere : process.stdout, terminal: true });
  try {
    return await terminal.question(secret ? "" : question, { signal });
  } finally {
    terminal.close();
    if (secret) process.stdout.write("\n");
  }
}
