import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { openDatabase } from "../db/client.ts";
import { createLog } from "../log/log.ts";
import { createTestDeps } from "../../tests/support/api/api.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";

/* A process that is killed while it deletes an account, just before the last email. */

const [dataDir = "", now = ""] = process.argv.slice(2);
const database = await openDatabase({ dataDir, log: createLog({ level: "warn" }) });
const deps = createTestDeps(database, { now: () => new Date(now) });
const outbox = {
  ...deps.outbox,
  post: async () => {
    process.kill(process.pid, "SIGKILL");
    // Nothing runs after the kill.
    await new Promise(() => {});
  },
};
await eraseDueAccounts({ ...deps, outbox }, createEmbeddedProvider(deps));
