import { existsSync } from "node:fs";
import { join } from "node:path";
import { readDemoAccess } from "./demo-access.ts";
import { start } from "./start.ts";

// `npm run node`: beside the server, whose settings and demo it finds by itself.
await start(() => {
  if (existsSync(".env")) process.loadEnvFile();
  const dataDir = process.env.DATA_DIR || "data";
  return { command: "npm run node --", folder: join(dataDir, "node"), demo: readDemoAccess(dataDir) };
});
