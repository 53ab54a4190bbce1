import { loadEnvFile } from "../env.ts";
import { StartError } from "../start-error.ts";
import { runCommand } from "./command.ts";

const terminal = { out: console.log, err: console.error };
try {
  loadEnvFile();
  process.exitCode = await runCommand(process.argv.slice(2), process.env, terminal);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
