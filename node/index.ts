import { existsSync } from "node:fs";
import { join } from "node:path";
import { readDemoAccess } from "./demo-access.ts";
import { NodeProblem } from "./problem.ts";
import { start } from "./start.ts";

// `npm run node`: runs next to the server, and finds that server's settings and its demo.
await start(() => {
  loadEnvFile();
  const dataDir = process.env.DATA_DIR || "data";
  return { command: "npm run node --", folder: join(dataDir, "node"), demo: readDemoAccess(dataDir) };
});

function loadEnvFile(): void {
  if (!existsSync(".env")) return;
  try {
    process.loadEnvFile();
  } catch (cause) {
    throw new NodeProblem(".env cannot be read: it must be a file that this user can read.", { cause });
  }
}
