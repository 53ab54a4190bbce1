import { DatabaseFacts } from "../db/inspect.ts";
import { StartError } from "../start-error.ts";
import { askServer } from "./ask-server.ts";

/** What the server that runs on a folder says of its database; undefined where none runs. */
export async function findFacts(dataDir: string): Promise<DatabaseFacts | undefined> {
  const outcome = await askServer(dataDir, { noun: "database", verb: "show", input: {} });
  if (!outcome) return undefined;
  if ("error" in outcome) throw new StartError(outcome.message);
  return DatabaseFacts.parse(outcome.result);
}

/** The same of one that is known to run. */
export async function askForFacts(dataDir: string): Promise<DatabaseFacts> {
  const facts = await findFacts(dataDir);
  if (!facts) throw new StartError("The server has just ended: try again.");
  return facts;
}
