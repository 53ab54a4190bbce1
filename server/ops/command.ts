import { inspect } from "node:util";
import { openDatabase } from "../db/client.ts";
import {
  DatabaseInUse,
  findErrorCode,
  isDatabaseUnavailable,
  listCauses,
  INSUFFICIENT_PRIVILEGE,
} from "../db/unavailable.ts";
import { AppError } from "../errors.ts";
import { toLine } from "../http/visible-text.ts";
import { readSessionSecrets } from "../secrets/stored-secret.ts";
import { throttle } from "../throttle.ts";
import { StartError } from "../start-error.ts";
import { readCommand, readNames, type ParsedCommand } from "./arguments.ts";
import { callServer } from "./call-server.ts";
import { describeUse } from "./help.ts";
import { readDatabaseEnv, readSecretsEnv } from "./ops-env.ts";
import { findOperation } from "./nouns.ts";
import { createOpsLog } from "./ops-log.ts";
import { WrongUse, type Operation } from "./operation.ts";
import type { OpsOutcome, OpsRequest } from "./messages.ts";
import { runRequest } from "./run-request.ts";

/** Exit codes. */
const DONE = 0;
const REFUSED = 1;
const WRONG_USE = 2;

/** Connections to PostgreSQL, whatever DATABASE_POOL_SIZE says: one for the operation, one for queries alongside it. */
const CONNECTIONS = 2;

const UNEXPECTED =
  "Something went wrong: the lines above say what. See what was done before you give the command again.";

const STARTING = "If it is a server that is still starting, give the command again in a moment instead.";

type Settings = Parameters<typeof readDatabaseEnv>[0];

/** Where the command prints its result and its messages. */
type Terminal = { out: (text: string) => void; err: (text: string) => void };

/** Runs the command with these arguments. Returns its exit code. */
export async function runCommand(args: string[], settings: Settings, terminal: Terminal): Promise<number> {
  try {
    return await parseAndRun(args, settings, terminal);
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    const { message } = error;
    if (args.includes("--json")) terminal.out(JSON.stringify({ error: "WRONG_USE", message } satisfies OpsOutcome));
    else terminal.err(`${message}\n\n${describeUse({ noun: args[0] ?? "" })}`);
    return WRONG_USE;
  }
}

async function parseAndRun(args: string[], settings: Settings, terminal: Terminal): Promise<number> {
  const { rest, ...named } = readNames(args[0] === "help" ? [...args.slice(1), "--help"] : args);
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(describeUse(named));
    return DONE;
  }
  const operation = findOperation(named.noun, named.verb);
  if (!operation) throw new WrongUse("Say what to do.");
  const outcome = await perform(() => readCommand(named, operation, rest, settings), settings, terminal);
  return printOutcome(operation, outcome, { ...terminal, isJson: rest.includes("--json") });
}

/** Performs an operation in the process that has the database, which may be this one. Throws WrongUse. */
async function perform(read: () => Promise<ParsedCommand>, settings: Settings, { err }: Terminal): Promise<OpsOutcome> {
  try {
    const { noun, verb, operation, input, reason } = await read();
    if (operation.perform) return { result: await operation.perform({ settings, report: throttle(err) }, input) };
    return await dispatch({ noun, verb, input, reason }, settings, err);
  } catch (error) {
    if (error instanceof WrongUse) throw error;
    if (error instanceof AppError) return { error: error.code, message: error.message };
    const message = explain(error);
    if (message) return { error: "UNAVAILABLE", message };
    err(inspect(error));
    return { error: "INTERNAL_ERROR", message: UNEXPECTED };
  }
}

/** Error codes for a file or folder that is missing, of the wrong kind, off limits, or on a full disk. */
const OF_FILES = new Set(["EACCES", "EDQUOT", "EISDIR", "ENOENT", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"]);

/**
 * Returns a sentence about an error that an operator can fix, or undefined for any other: those are our own mistakes.
 */
function explain(error: unknown): string | undefined {
  if (error instanceof StartError) return error.message;
  const problem = listCauses(error).at(-1)?.message;
  const code = findErrorCode(error) ?? "";
  if (OF_FILES.has(code)) return `A file cannot be read or written: ${problem}.`;
  if (code === INSUFFICIENT_PRIVILEGE)
    return `The database does not let this role do that: ${problem}. Give the command as the role that owns the tables.`;
  if (isDatabaseUnavailable(error))
    return `The database cannot do that now: ${problem}. See what was done before you give the command again.`;
  return undefined;
}

async function dispatch(request: OpsRequest, settings: Settings, report: (line: string) => void): Promise<OpsOutcome> {
  const { databaseUrl, dataDir, webhooksToPrivate } = readDatabaseEnv(settings);
  const answered = databaseUrl ? undefined : await callServer(dataDir, request, report);
  if (answered) return answered;
  const log = createOpsLog("warn");
  const database = await openDatabase({
    databaseUrl,
    databasePoolSize: CONNECTIONS,
    dataDir,
    // Otherwise a mistyped path would look like an installation in perfect order.
    creates: false,
    log,
  }).catch((error: unknown) => {
    // It would have answered if it had got so far.
    if (error instanceof DatabaseInUse) throw new StartError(`${error.message} ${STARTING}`, { cause: error });
    throw error;
  });
  // Create no secret: it could open nothing, and no server could open what it seals.
  const secrets = () => readSessionSecrets(readSecretsEnv(settings), { makes: false });
  try {
    const deps = { db: database.db, now: () => new Date(), secrets, webhooksToPrivate, report: throttle(report) };
    return { result: await runRequest(deps, request) };
  } finally {
    await database.close();
  }
}

type PrintOptions = Terminal & { isJson: boolean };

function printOutcome(operation: Operation, outcome: OpsOutcome, { err, isJson, out }: PrintOptions): number {
  if ("error" in outcome) {
    if (isJson) out(JSON.stringify(outcome));
    else err(outcome.message);
    return REFUSED;
  }
  const { result } = outcome;
  out(isJson ? JSON.stringify(result) : operation.describe(result).map(toLine).join("\n"));
  return operation.isRefused(result) ? REFUSED : DONE;
}
