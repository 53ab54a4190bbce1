import { homedir } from "node:os";
import { join } from "node:path";
import { requireNode } from "./oldest-node.ts";
import { start } from "./start.ts";

// The package that a server offers for download (server/vite/node-package.ts). It runs without the rest of Nodebeat.
await start(() => {
  requireNode();
  return { command: "nodebeat-node", folder: join(homedir(), ".nodebeat") };
});
