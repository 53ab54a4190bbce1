import { lstat, readlink } from "node:fs/promises";
import { request as openRequest, type IncomingMessage } from "node:http";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { StartError } from "../start-error.ts";
import { OpsResponse, OpsOutcome, type OpsRequest } from "./messages.ts";

/** Where a server listens for operations, in DATA_DIR. */
export const CONTROL_FOLDER = "control";
export const CONTROL_SOCKET = "ops.sock";
/** The path of backups there. Every other path takes an operation. */
export const BACKUP = "/backup";

/** Error codes that mean that no server runs: none ever ran here, or the last one has ended, cleanly or not. */
const NOBODY = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED"]);

const GONE = "The server ended before it reported a result. See what was done before you give the command again.";

/**
 * Asks the server that runs on this folder to perform an operation. Reports progress. Returns undefined if none runs.
 */
export async function callServer(
  dataDir: string,
  wanted: OpsRequest,
  report: ReportProgress = () => {},
): Promise<OpsOutcome | undefined> {
  const response = await send(dataDir, "/", wanted);
  return response && readOutcome(response, report);
}

type ReportProgress = (line: string) => void;

/** Reads one line for each report of progress, and a last one with the outcome. */
async function readOutcome(response: IncomingMessage, report: ReportProgress): Promise<OpsOutcome> {
  try {
    for await (const line of readLines(response)) {
      const { data } = OpsResponse.safeParse(JSON.parse(line));
      if (!data) break;
      if (!("progress" in data)) return data;
      report(data.progress);
    }
  } catch (error) {
    throw new StartError(GONE, { cause: error });
  }
  throw new StartError("The server answers in an unexpected way. It may be another version than this command.");
}

/** Splits at "\n" alone. The lines of `node:readline` also end at U+2028 and U+2029, which JSON may contain. */
async function* readLines(response: IncomingMessage): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of response.setEncoding("utf8")) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest) yield rest;
}

/** Returns all files of the server's database as a tar stream, or undefined if no server runs on this folder. */
export async function requestBackup(dataDir: string): Promise<IncomingMessage | undefined> {
  const response = await send(dataDir, BACKUP, {});
  if (!response || response.statusCode === 200) return response;
  const outcome = OpsOutcome.safeParse(JSON.parse(await text(response)));
  const said = outcome.success && "error" in outcome.data ? outcome.data.message : undefined;
  throw new StartError(said ?? "The server cannot send a backup. It may be another version than this command.");
}

async function send(dataDir: string, path: string, wanted: unknown): Promise<IncomingMessage | undefined> {
  const place = resolve(dataDir, CONTROL_FOLDER);
  try {
    // If the path is too long for a socket, it is a link to a short one.
    const folder = (await lstat(place)).isSymbolicLink() ? await readlink(place) : place;
    const request = openRequest({ socketPath: join(folder, CONTROL_SOCKET), method: "POST", path });
    const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
    request.once("response", answer).once("error", reject);
    request.end(JSON.stringify(wanted));
    return await promise;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (NOBODY.has(code)) return undefined;
    const sentence = explain(code, place);
    throw sentence ? new StartError(sentence, { cause: error }) : error;
  }
}

function explain(code: string, place: string): string | undefined {
  if (code === "ECONNRESET") return GONE;
  if (code === "EACCES" || code === "EPERM")
    return `${place} belongs to another user. Run the command as the user of the server.`;
  if (code === "EINVAL" || code === "ENAMETOOLONG")
    return `${join(place, CONTROL_SOCKET)} is too long for the path of a socket. Set DATA_DIR as the server has it.`;
  return undefined;
}
