import { MIMEType } from "node:util";
import type * as z from "zod";
import { liftTimeLimit } from "../db/time-budget.ts";
import { AppError } from "../errors.ts";
import { runAsCaller, clientCaller, memberCaller } from "../fair-share/caller.ts";
import type { Logger } from "../log/log.ts";
import { isSameSecret } from "../secrets/same-secret.ts";
import { inSpan } from "../tracing/spans.ts";
import { callWithin, oncePerPage, type CallScope } from "./call-scope.ts";
import { describeClient, limitKeyOf, nameNetwork } from "./client.ts";
import { AUTH_EVENT_HEADER, type Endpoint } from "./contract.ts";
import type { Caller, Route } from "./endpoint.ts";
import { nameCall, type Attempt } from "./explain-error.ts";
import { explainIssue } from "./explain-issue.ts";

/** The kinds of access for which the caller must be known. */
export type RestrictedAccess = Exclude<Endpoint["access"], "anyone">;

/** What every call passes through on its way to its route. */
export type Gate = {
  /**
   * Resolves the credential of a call. Throws UNAUTHENTICATED, or FORBIDDEN if the call needs an administrator and the
   * caller is not one.
   */
  authenticate: (credential: string, access: RestrictedAccess) => Promise<Caller>;
  /** Calls to the auth part must carry one of these static keys, if any are configured. */
  authApiKeys: string[];
  /** Does the work of a call, on the primary or on a replica. */
  answer?: (endpoint: Endpoint, caller: Caller | undefined, work: () => Promise<unknown>) => Promise<unknown>;
  /** Turns what was thrown into the error to respond with. Logs refusals and unexpected errors. */
  explain: (error: Error, log?: Logger, attempt?: Attempt) => AppError;
};

/** A call as it arrived, with nothing checked yet: a request, or a page's read in this process. */
export type IncomingCall = {
  scope?: CallScope | undefined;
  /** Empty string if unknown. */
  clientAddress: string;
  header: (name: string) => string | undefined;
  headers: () => Record<string, string>;
  params: () => Record<string, string>;
  query: () => Record<string, string>;
  bytes: () => Promise<ArrayBuffer>;
};

export type HandledCall = { answer: unknown; caller: Caller | undefined };

/**
 * Handles a call: checks the key, the caller and the input, and runs the route's handler. Calls `onCaller` as soon as
 * the caller is known, even if the call is refused later.
 */
export function handleCall(
  incoming: IncomingCall,
  route: Route,
  gate: Gate,
  onCaller: (caller: Caller | undefined) => void,
): Promise<HandledCall> {
  const { endpoint } = route;
  return inSpan(`${endpoint.method} ${endpoint.path}`, async () => {
    requireApiKey(incoming, endpoint, gate.authApiKeys);
    return runAsCaller(clientCaller(limitKeyOf(incoming.clientAddress)), () =>
      callWithin(incoming.scope, endpoint, async () => {
        const caller = await findCaller(incoming, endpoint, gate.authenticate);
        onCaller(caller);
        if (endpoint.access === "administrator") liftTimeLimit();
        const work = () => doWork(incoming, route, gate, caller);
        return { caller, answer: await (caller ? runAsCaller(memberCaller(caller.userId), work) : work()) };
      }),
    );
  });
}

async function doWork(
  incoming: IncomingCall,
  { admit, endpoint, handle, verify }: Route,
  gate: Gate,
  caller: Caller | undefined,
): Promise<unknown> {
  const { clientAddress: address, header } = incoming;
  const asked = { caller, client: describeClient({ address, header }) };
  /* oxlint-disable typescript/no-unsafe-type-assertion -- route() has matched both to the contract */
  const bodySize = Number(header("content-length") ?? Infinity);
  await admit?.({ ...asked, bodySize } as never);
  const call = { ...asked, ...(await readInput(incoming, endpoint, verify)) } as never;
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  const work = () => handle(call);
  return gate.answer ? gate.answer(endpoint, caller, work) : work();
}

function requireApiKey({ header }: IncomingCall, { service }: Endpoint, keys: string[]) {
  if (service !== "auth" || keys.length === 0) return;
  const given = header("x-api-key");
  if (keys.some((key) => isSameSecret(given, key))) return;
  throw new AppError("INVALID_API_KEY", "This call needs a valid API key.");
}

async function findCaller({ header }: IncomingCall, { access }: Endpoint, authenticate: Gate["authenticate"]) {
  if (access === "anyone") return undefined;
  const credential = /^Bearer (\S+)$/i.exec(header("authorization") ?? "")?.[1];
  if (!credential) throw new AppError("UNAUTHENTICATED", "Sign in first.");
  return oncePerPage(`caller ${access} ${credential}`, () => authenticate(credential, access));
}

/** Returns the headers that depend on the caller. */
export const getCallerHeaders = (caller: Caller | undefined): Record<string, string> =>
  caller?.isRefreshed ? { [AUTH_EVENT_HEADER]: "TOKEN_REFRESHED" } : {};

/** Describes who tried what, for the log of refusals. */
export const describeAttempt = (
  { clientAddress }: IncomingCall,
  [method, path]: [method: string, path: string],
  caller: Caller | undefined,
): Attempt => ({
  call: nameCall(method, path),
  network: nameNetwork(clientAddress),
  ...(caller && { member: caller.userId }),
});

/** PostgreSQL cannot store U+0000 in text, and no field needs it. */
const NO_NUL = "The character U+0000 is not allowed.";
/** A lone surrogate is stored as a different character, so that reads would not return what was sent. */
const NO_HALF = "Half of a character is not allowed: send well-formed Unicode.";

function requireText(value: string): void {
  if (value.includes("\0")) throw new AppError("VALIDATION_ERROR", NO_NUL);
  if (!value.isWellFormed()) throw new AppError("VALIDATION_ERROR", NO_HALF);
}

function requireTexts<Values extends Record<string, string>>(values: Values): Values {
  Object.values(values).forEach(requireText);
  return values;
}

async function readInput(incoming: IncomingCall, endpoint: Endpoint, verify: Route["verify"]) {
  const headers = endpoint.headers && parseInput(endpoint.headers, incoming.headers());
  const check = (text: string) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- route() has matched it to the contract
    verify?.({ headers, text } as never);
  };
  return {
    params: endpoint.params && parseInput(endpoint.params, requireTexts(incoming.params())),
    query: endpoint.query && parseInput(endpoint.query, requireTexts(incoming.query())),
    headers,
    body: endpoint.body && parseInput(endpoint.body, await readJson(incoming, check)),
  };
}

async function readJson(incoming: IncomingCall, check: (text: string) => void): Promise<unknown> {
  requireReadable(incoming);
  const text = decode(await receiveBody(incoming.bytes));
  check(text);
  try {
    return JSON.parse(text, ESCAPED_SUSPECT.test(text) ? requireTextsWithin : undefined);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("VALIDATION_ERROR", "The body is not valid JSON.", { cause });
  }
}

/** Receives a whole body. Throws BAD_REQUEST if it breaks off: the sender has gone, which is not our fault. */
export async function receiveBody(bytes: IncomingCall["bytes"]): Promise<ArrayBuffer> {
  try {
    return await bytes();
  } catch (cause) {
    throw new AppError("BAD_REQUEST", "The body was cut off before its end.", { cause });
  }
}

function requireReadable({ header }: IncomingCall): void {
  if (!isJson(header("content-type"))) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json, in UTF-8.");
  }
  if (/^(?:identity)?$/i.test(header("content-encoding") ?? "")) return;
  const headers = { "Accept-Encoding": "identity" };
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body as it is, not compressed.", { headers });
}

/** Whether a media type is JSON in UTF-8, under any of the labels of that encoding. */
function isJson(type = ""): boolean {
  try {
    const { essence, params } = new MIMEType(type);
    return essence === "application/json" && new TextDecoder(params.get("charset") ?? "utf-8").encoding === "utf-8";
  } catch {
    return false;
  }
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: ArrayBuffer): string {
  try {
    return UTF_8.decode(bytes);
  } catch (cause) {
    throw new AppError("VALIDATION_ERROR", "The body is not valid UTF-8.", { cause });
  }
}

/**
 * Matches escapes that may stand for a character that no text may contain. A UTF-8 body can only contain one escaped.
 */
const ESCAPED_SUSPECT = /\\u(?:0000|d[89a-f])/i;

function requireTextsWithin(key: string, value: unknown): unknown {
  requireText(key);
  if (typeof value === "string") requireText(value);
  return value;
}

/** The most issues to report. That is enough to act on; all issues of a long list would fill responses and the log. */
const MOST_ISSUES = 100;

/** Parses a call's input by its contract. Throws VALIDATION_ERROR, with the messages by field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { error: explainIssue });
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, MOST_ISSUES);
  const fields: Record<string, string[]> = {};
  for (const { message, path } of issues) (fields[path.join(".")] ??= []).push(message);
  throw new AppError("VALIDATION_ERROR", issues[0]?.message ?? "The input is not valid.", { fields });
}
