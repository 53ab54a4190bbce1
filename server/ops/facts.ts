import { DatabaseFacts } from "../db/inspect.ts";
import { describeSchema } from "../db/schema-state.ts";
import { StartError } from "../start-error.ts";
import { callServer } from "./call-server.ts";

/**
 * Returns what the server that runs on a folder says about its database, or undefined if none runs. The migrations to
 * run are those of this version, because the server may be of another one.
 */
export async function findFacts(dataDir: string): Promise<DatabaseFacts | undefined> {
  const outcome = await callServer(dataDir, { noun: "database", verb: "show", input: {} });
  if (!outcome) return undefined;
  if ("error" in outcome) throw new StartError(outcome.message);
  const facts = DatabaseFacts.parse(outcome.result);
  const { missing, isLater } = describeSchema(facts.schema.reachedAt);
  return { ...facts, schema: { ...facts.schema, missing, isLater } };
}

/** Does the same for a server that is known to run. Throws StartError if it has ended. */
export async function requestFacts(dataDir: string): Promise<DatabaseFacts> {
  const facts = await findFacts(dataDir);
  if (!facts) throw new StartError("The server has just ended: try again.");
  return facts;
}
