import { existsSync } from "node:fs";
import { runCommand } from "./command.ts";

if (existsSync(".env")) process.loadEnvFile();

const terminal = { out: console.log, err: console.error };
try {
  process.exitCode = await runCommand(process.argv.slice(2), process.env, terminal);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
