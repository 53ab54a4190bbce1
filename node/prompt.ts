import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Asks the person at the terminal. Shows what they type unless it is secret. Returns an empty string on Ctrl+D. */
export async function prompt(question: string, { secret, signal }: { secret: boolean; signal: AbortSignal }) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: secret ? nowhere : process.stdout, terminal: true });
  // Ctrl+C is read here. Make it do what it does anywhere else.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  if (secret) process.stdout.write(question);
  try {
    return await terminal.question(secret ? "" : question, { signal });
  } catch (error) {
    const isEnded = error instanceof Error && error.name === "AbortError" && !signal.aborted;
    if (!isEnded) throw error;
    return "";
  } finally {
    terminal.close();
    if (secret) process.stdout.write("\n");
  }
}
