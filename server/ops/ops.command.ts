import { loadEnvFile } from "../env.ts";
import { StartError } from "../start-error.ts";
import { runCommand } from "./command.ts";

const terminal = { out: console.log, err: console.error };

let isLost = false;
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // The reader has read enough.
  if (code === "EPIPE") return;
  isLost = true;
  process.exitCode = 1;
  console.error(`The result could not be written: ${message}`);
});

try {
  loadEnvFile();
  const code = await runCommand(process.argv.slice(2), process.env, terminal);
  process.exitCode = isLost ? 1 : code;
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
