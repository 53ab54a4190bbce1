import type * as z from "zod";
import { AUTH_EVENT_HEADER, type Endpoint } from "../../server/http/contract.ts";
import { isAuthEvent, type AuthEvent } from "./auth-event.ts";
import { ApiError, readErrorResponse, toApiError, toNetworkError, toRefusal } from "./api-error.ts";
import { notOffered, type MissingCalls } from "./missing-calls.ts";
import { hasTooManyEntries } from "./has-too-many-entries.ts";
import { coerceMistypedScalars } from "./coerce-mistyped-scalars.ts";
import type { Transport, Transports } from "./transport.ts";
import { isRefused, UnusableAnswer, withRetries } from "./with-retries.ts";

export type Query = Record<string, string | number | undefined>;

type CallInput<E extends Endpoint> = (E["body"] extends z.ZodType
  ? { body: z.input<E["body"]> }
  : { body?: undefined }) & {
  params?: Record<string, string>;
  query?: Query;
  headers?: Record<string, string>;
  /** Aborted when nobody waits for the response any more. */
  signal?: AbortSignal;
};

type CallRules<E extends Endpoint> = {
  /** A field that may hold the whole response, because the table of calls describes it only by this name: `user`. */
  wrappedIn?: string;
  /** The message of the error if the call needs an access token and there is none. */
  signedOutMessage?: string;
  /** Returned instead of a response that does not match its contract. Without it, the raw data is returned. */
  onMismatch?: z.output<E["response"]>;
  /** How often to send a write again while the backend is unavailable. */
  retries?: number;
  /** Finds out what a write has done if its response may have been lost. Resolves to null if it has done nothing. */
  findOutcome?: () => Promise<z.output<E["response"]> | null>;
  /** Whether the caller has just read that the write has not been done. */
  isUndone?: boolean;
  /** Whether to return a response that says that a write was refused. Otherwise it is an error. */
  bringsRefusal?: boolean;
  /** Whether a write needs no more than its status, although its contract promises more. */
  mayBeBlank?: boolean;
  /** Whether the answer has an entry for each line of a file. */
  isLong?: boolean;
};

/** A log that takes the details first and then the message, like pino. */
export type ApiLog = { error: (details: object, message: string) => void };

export type CallerOptions = Transports & {
  accessToken: string | undefined;
  /** Whether the form behind the calls was sent before, and its response got lost. */
  isRepeated?: boolean;
  log: ApiLog;
  /** Receives the authentication provider's events that responses carry. */
  onEvent?: (event: AuthEvent) => void;
};

export type Sender = ReturnType<typeof createSender>;
export type Caller = ReturnType<typeof createCaller>;
export type OptionalCaller = ReturnType<typeof createOptionalCaller>;

/** Selects the backend and the credentials of each call. */
function openBackends({ main, auth, accessToken, onEvent }: Omit<CallerOptions, "log" | "isRepeated">) {
  const transports = { main, auth };
  return {
    /** Throws UNAUTHENTICATED if the call needs an access token and there is none. */
    backendOf: ({ access, service }: Endpoint, given: CallInput<Endpoint>["headers"], signedOutMessage?: string) => {
      const isForAnyone = access === "anyone";
      if (!isForAnyone && !accessToken)
        throw new ApiError(signedOutMessage ?? "No access token provided", "UNAUTHENTICATED", 401);
      const { headers, ...transport } = transports[service];
      const authorization = isForAnyone ? undefined : `Bearer ${accessToken}`;
      return { ...transport, headers: { ...headers, ...(authorization && { authorization }), ...given } };
    },
    note: (event: string | null | undefined) => {
      if (isAuthEvent(event)) onEvent?.(event);
    },
  };
}

type Backends = ReturnType<typeof openBackends>;

/**
 * Creates a function that sends calls as their contracts define them, and returns the response if it is ok. Every
 * failure is an ApiError.
 */
export const createSender = (options: Omit<CallerOptions, "log" | "isRepeated">) => sendBy(openBackends(options));

const sendBy = ({ backendOf, note }: Backends) =>
  async function send<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    signedOutMessage?: string,
  ): Promise<Response> {
    const { baseUrl, fetch, fetchStream, headers } = backendOf(endpoint, input.headers, signedOutMessage);
    const request = toRequest(endpoint, input, baseUrl, headers);
    const response = await (endpoint.mediaType || endpoint.streams ? fetchStream : fetch)(request).catch(
      (error: unknown) => {
        throw toNetworkError(error);
      },
    );
    note(response.headers.get(AUTH_EVENT_HEADER));
    const { ok, status } = response;
    // Neither a success nor an error, so no page can have this status.
    if (!ok && (status < 400 || status > 599)) {
      await response.body?.cancel();
      throw toNetworkError(new UnusableAnswer(`The backend answers ${status}`));
    }
    if (!ok) throw blameOurKey(await readErrorResponse(response));
    if (endpoint.mediaType) await requireFile(endpoint.mediaType, response);
    return response;
  };

/** Throws if the response is not the requested file: a gateway may respond with 200 and its own page. */
async function requireFile(mediaType: string, { body, headers }: Response): Promise<void> {
  if (headers.get("Content-Type")?.toLowerCase().startsWith(mediaType)) return;
  await body?.cancel();
  throw new ApiError("The answer is not the file", "VALIDATION_ERROR", 502);
}

/**
 * Creates a function that sends calls and checks their responses against their contracts. Every failure is an ApiError.
 */
export function createCaller({ log, isRepeated, ...options }: CallerOptions) {
  const backends = openBackends(options);
  const send = sendBy(backends);

  async function sendCall<E extends Endpoint>(endpoint: E, input: CallInput<E>, rules: CallRules<E>) {
    const { bringsRefusal, onMismatch, signedOutMessage } = rules;
    const { headers, read } = backends.backendOf(endpoint, input.headers, signedOutMessage);
    const raw =
      read && endpoint.method === "GET"
        ? await readBy(backends, read({ ...describeReading(endpoint, input), headers }))
        : await readJson(endpoint, await send(endpoint, input, signedOutMessage), rules);
    const answer = check<E["response"]>(endpoint.response, unwrap(raw, rules.wrappedIn), onMismatch, (found) =>
      log.error({ endpoint: `${endpoint.method} ${endpoint.path}`, ...found }, "Parsed error"),
    );
    if (endpoint.method !== "GET" && !bringsRefusal) requireSuccess(answer);
    return answer;
  }

  return async function call<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    rules: CallRules<E> = {},
  ): Promise<z.output<E["response"]>> {
    return withRetries({ ...rules, isRepeated }, () => sendCall(endpoint, input, rules));
  };
}

async function readBy({ note }: Backends, answering: ReturnType<NonNullable<Transport["read"]>>): Promise<unknown> {
  const { body, headers, status } = await answering.catch((error: unknown) => {
    throw toNetworkError(error);
  });
  note(headers[AUTH_EVENT_HEADER]);
  if (status >= 400) throw blameOurKey(toRefusal(status, body, headers["Retry-After"]));
  return body;
}

/**
 * If the backend rejects our key, our settings are wrong. That says nothing about the caller, whose session goes on.
 */
const blameOurKey = (refusal: ApiError) =>
  refusal.code === "INVALID_API_KEY" ? new ApiError(refusal.message, refusal.code, 503, { cause: refusal }) : refusal;

/**
 * Creates a function for calls that are optional for a backend. It returns null if the backend does not have the call.
 */
export function createOptionalCaller(call: Caller, missing: MissingCalls) {
  return async function callIfOffered<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    rules?: CallRules<E>,
  ): Promise<z.output<E["response"]> | null> {
    return missing.callUnlessMissing(endpoint, () => call(endpoint, input, rules));
  };
}

/**
 * Returns the result of an optional call where it is required. Rejects with NOT_OFFERED if the backend does not have
 * it.
 */
export async function requireOffered<Answer>(answer: Promise<Answer | null>): Promise<Answer> {
  const given = await answer;
  if (given === null) throw notOffered();
  return given;
}

/** Creates the request of a call as its contract defines it. */
function toRequest<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  baseUrl: string,
  headers: Record<string, string>,
) {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? ""),
  );
  const given = listQuery(input.query);
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : "";
  return new Request(`${baseUrl.replace(/\/$/, "")}${path}${search}`, {
    method: endpoint.method,
    headers: {
      Accept: endpoint.mediaType ?? "application/json",
      ...(input.body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    ...(input.signal && { signal: input.signal }),
  });
}

const describeReading = (
  { path }: Endpoint,
  { params = {}, query }: Pick<CallInput<Endpoint>, "params" | "query">,
) => ({
  path,
  params,
  query: Object.fromEntries(listQuery(query)),
});

const listQuery = (query: Query = {}) =>
  Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );

const DONE = { success: true, message: "" };

/**
 * Reads a response as JSON. Anything else matches no contract either, and becomes `undefined` if the caller has a
 * fallback for that.
 */
async function readJson<E extends Endpoint>(endpoint: E, answered: Response, rules: CallRules<E>): Promise<unknown> {
  const hasStandIn = rules.onMismatch !== undefined;
  // Rejects if the response broke off, or if nobody waits for it any more.
  const text = await answered.text().catch((error: unknown) => {
    throw toNetworkError(error);
  });
  if (text.trim() === "" && !hasStandIn && (rules.mayBeBlank || isDoneByStatus(endpoint))) return DONE;
  const answer = parse(text);
  if (!rules.isLong && hasTooManyEntries(answer)) throw toNetworkError(new UnusableAnswer("The answer is too long"));
  if (answer === undefined && !hasStandIn) throw toApiError(new UnusableAnswer("The answer is not JSON"));
  return answer;
}

/** Parses JSON. Returns undefined, which no JSON stands for, if it is something else. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a write has nothing to say but that it was done. If we took its blank response for a failure, it
 * would be done twice.
 */
const isDoneByStatus = ({ method, response }: Endpoint) => method !== "GET" && response.safeParse(DONE).success;

/** Throws if the response says that the call was refused, whatever its status. */
export function requireSuccess(answer: unknown): void {
  if (!isRefused(answer)) return;
  const said = "message" in answer && typeof answer.message === "string" && answer.message;
  throw new ApiError(said || "An error occurred", "API_ERROR", 422, { fromServer: Boolean(said) });
}

/** Returns the object in this field of a response, or the response itself if there is none. */
function unwrap(raw: unknown, field: string | undefined): unknown {
  if (field === undefined || typeof raw !== "object" || raw === null) return raw;
  const inner: unknown = Reflect.get(raw, field);
  return typeof inner === "object" && inner !== null ? inner : raw;
}

/** How many of an answer's mistakes are logged: the first show what is wrong. */
const MAX_LOGGED = 20;

type Issues = { count: number; issues: { code: string; path: string; message: string }[] };
type Report = (found: Issues) => void;

/**
 * Checks a response against its contract. A response that breaks the contract is logged and used as it is (product
 * specification, section 5). Null becomes an object without fields, because null here means that a backend does not
 * have the call.
 */
function check<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  onMismatch: z.output<Schema> | undefined,
  report: Report,
) {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  // Logs where and how it differs, but not its contents: responses contain personal data.
  const first = result.error.issues.slice(0, MAX_LOGGED);
  const issues = first.map(({ code, path, message }) => ({ code, path: path.join("."), message }));
  report({ count: result.error.issues.length, issues });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the specification requires the raw data
  return onMismatch ?? ((coerceMistypedScalars(raw, result.error.issues) ?? {}) as z.output<Schema>);
}
