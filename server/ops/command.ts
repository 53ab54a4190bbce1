import { openDatabase } from "../db/client.ts";
import { readDatabaseEnv } from "../env.ts";
import { AppError } from "../errors.ts";
import { createLog } from "../log/log.ts";
import { StartError } from "../start-error.ts";
import { readAsked, readNames, type Asked } from "./arguments.ts";
import { askServer } from "./ask-server.ts";
import { describeUse } from "./help.ts";
import { findOperation } from "./nouns.ts";
import { WrongUse } from "./operation.ts";
import { runRequest, type OpsOutcome } from "./run-request.ts";

/** Exit codes. */
const DONE = 0;
const REFUSED = 1;
const WRONG_USE = 2;

type Settings = Parameters<typeof readDatabaseEnv>[0];

/** Where the command says what came of it. */
export type Terminal = { out: (text: string) => void; err: (text: string) => void };

/** Does what was typed after the command's name. Returns its exit code. */
export async function runCommand(args: string[], settings: Settings, terminal: Terminal): Promise<number> {
  try {
    return await follow(args, settings, terminal);
  } catch (error) {
    if (error instanceof WrongUse) {
      terminal.err(`${error.message}\n\n${describeUse({ noun: args[0] ?? "" })}`);
      return WRONG_USE;
    }
    if (!(error instanceof StartError)) throw error;
    terminal.err(error.message);
    return REFUSED;
  }
}

async function follow(args: string[], settings: Settings, terminal: Terminal): Promise<number> {
  const { rest, ...named } = readNames(args[0] === "help" ? [...args.slice(1), "--help"] : args);
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(describeUse(named));
    return DONE;
  }
  const operation = findOperation(named.noun, named.verb);
  if (!operation) throw new WrongUse("Say what to do.");
  const asked = await readAsked(named, operation, rest);
  return tell(asked, await perform(asked, settings), terminal);
}

/** By the process that has the database, which may be this one. */
async function perform({ noun, verb, input, reason }: Asked, settings: Settings): Promise<OpsOutcome> {
  const { databaseUrl, dataDir } = readDatabaseEnv(settings);
  const request = { noun, verb, input, reason };
  const answered = databaseUrl ? undefined : await askServer(dataDir, request);
  if (answered) return answered;
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog({ level: "warn" }) });
  try {
    return { result: await runRequest({ db: database.db, now: () => new Date() }, request) };
  } catch (error) {
    if (error instanceof AppError) return { error: error.code, message: error.message };
    throw error;
  } finally {
    await database.close();
  }
}

function tell({ operation, isJson }: Asked, outcome: OpsOutcome, { err, out }: Terminal): number {
  if ("error" in outcome) {
    if (isJson) out(JSON.stringify(outcome));
    else err(outcome.message);
    return REFUSED;
  }
  const { result } = outcome;
  out(isJson ? JSON.stringify(result) : operation.describe(result).join("\n"));
  return operation.isRefused(result) ? REFUSED : DONE;
}
