import { homedir } from "node:os";
import { join } from "node:path";
import { start } from "./start.ts";

// The package that a server offers for download (server/vite/node-package.ts): on a machine that has nothing else of it.
await start(() => ({ command: "nodebeat-node", folder: join(homedir(), ".nodebeat") }));
