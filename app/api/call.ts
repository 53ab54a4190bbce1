import type * as z from "zod";
import { AUTH_EVENT_HEADER, type Endpoint } from "../../server/http/contract.ts";
import { isAuthEvent, type AuthEvent } from "./auth-event.ts";
import { ApiError, readErrorResponse, toApiError, toNetworkError, toRefusal } from "./api-error.ts";
import { notOffered, type MissingCalls } from "./missing-calls.ts";
import { readFigures } from "./read-figures.ts";
import type { Transport, Transports } from "./transport.ts";
import { isRefused, withRetries } from "./with-retries.ts";

export type Query = Record<string, string | number | undefined>;

type CallInput<E extends Endpoint> = (E["body"] extends z.ZodType
  ? { body: z.input<E["body"]> }
  : { body?: undefined }) & {
  params?: Record<string, string>;
  query?: Query;
  headers?: Record<string, string>;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
};

type CallRules<E extends Endpoint> = {
  /** What is thrown when the call needs an access token and there is none. */
  signedOutMessage?: string;
  /** Stands in for a response that does not match its contract; the raw data does otherwise. */
  onMismatch?: z.output<E["response"]>;
  /** How often a write is sent again when the backend is not there. */
  retries?: number;
  /** What a write has brought about, where its answer may have been lost; null where nothing. */
  findOutcome?: () => Promise<z.output<E["response"]> | null>;
  /** Whether an answer that says that nothing has come of a write is brought, too. It is an error otherwise. */
  bringsRefusal?: boolean;
};

/** A log that takes details first and the message second, as pino does. */
export type ApiLog = { error: (details: object, message: string) => void };

export type CallerOptions = Transports & {
  accessToken: string | undefined;
  /** Whether what the calls are for was sent before, and its answer lost. */
  isRepeated?: boolean;
  log: ApiLog;
  /** Gets the events of the authentication provider that answers bring. */
  onEvent?: (event: AuthEvent) => void;
};

export type Sender = ReturnType<typeof createSender>;
export type Caller = ReturnType<typeof createCaller>;
export type OptionalCaller = ReturnType<typeof createOptionalCaller>;

/** Where calls go, and in whose name. */
function openBackends({ main, auth, accessToken, onEvent }: Omit<CallerOptions, "log" | "isRepeated">) {
  const transports = { main, auth };
  return {
    /** Throws UNAUTHENTICATED for a call that needs an access token where there is none. */
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

/** Sends calls as their contracts define them, and brings the responses that are ok. Every failure is an ApiError. */
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
    // Neither granted nor refused, and no status that a page could have.
    if (!ok && (status < 400 || status > 599)) throw toNetworkError(new Error(`The backend answers ${status}`));
    if (!ok) throw blameOurKey(await readErrorResponse(response));
    if (endpoint.mediaType) await requireFile(endpoint.mediaType, response);
    return response;
  };

/** A gateway may answer with 200 and a page of its own. Throws where the answer is not the file that was asked for. */
async function requireFile(mediaType: string, { body, headers }: Response): Promise<void> {
  if (headers.get("Content-Type")?.toLowerCase().startsWith(mediaType)) return;
  await body?.cancel();
  throw new ApiError("The answer is not the file", "VALIDATION_ERROR", 502);
}

/** Sends calls, and checks what comes back against their contracts. Every failure is an ApiError. */
export function createCaller({ log, isRepeated, ...options }: CallerOptions) {
  const backends = openBackends(options);
  const send = sendBy(backends);

  async function ask<E extends Endpoint>(endpoint: E, input: CallInput<E>, rules: CallRules<E>) {
    const { bringsRefusal, onMismatch, signedOutMessage } = rules;
    const { headers, read } = backends.backendOf(endpoint, input.headers, signedOutMessage);
    const raw =
      read && endpoint.method === "GET"
        ? await readBy(backends, read({ ...describeReading(endpoint, input), headers }))
        : await readJson(endpoint, await send(endpoint, input, signedOutMessage), onMismatch !== undefined);
    const answer = check<E["response"]>(endpoint.response, raw, onMismatch, (issues) =>
      log.error({ endpoint: `${endpoint.method} ${endpoint.path}`, issues }, "Parsed error"),
    );
    if (endpoint.method !== "GET" && !bringsRefusal) requireSuccess(answer);
    return answer;
  }

  return async function call<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    rules: CallRules<E> = {},
  ): Promise<z.output<E["response"]>> {
    return withRetries({ ...rules, isRepeated }, () => ask(endpoint, input, rules));
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

/** A key that the backend does not take is a setting of ours: it says nothing of who calls, whose session goes on. */
const blameOurKey = (refusal: ApiError) =>
  refusal.code === "INVALID_API_KEY" ? new ApiError(refusal.message, refusal.code, 503, { cause: refusal }) : refusal;

/** Makes calls that a backend need not have: null where it has none. */
export function createOptionalCaller(call: Caller, missing: MissingCalls) {
  return async function callIfOffered<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    rules?: CallRules<E>,
  ): Promise<z.output<E["response"]> | null> {
    return missing.askFor(endpoint, () => call(endpoint, input, rules));
  };
}

/** What came of such a call, where there is no doing without. Rejects with NOT_OFFERED. */
export async function orRefuse<Answer>(answer: Promise<Answer | null>): Promise<Answer> {
  const given = await answer;
  if (given === null) throw notOffered();
  return given;
}

/** The request of a call, as its contract defines it. */
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

/** What is not JSON matches no contract either: `undefined` where the caller has a stand-in for that. */
async function readJson(endpoint: Endpoint, answered: Response, hasStandIn: boolean): Promise<unknown> {
  try {
    const text = await answered.text();
    if (text === "" && !hasStandIn && isDoneByStatus(endpoint)) return DONE;
    const answer: unknown = JSON.parse(text);
    return answer;
  } catch (error) {
    // Half an answer, or one that was not waited for.
    if (!(error instanceof SyntaxError)) throw toNetworkError(error);
    if (hasStandIn) return undefined;
    throw toApiError(error);
  }
}

/** Whether there is no more to say of a write than that it was done. Taken for a failure, it would be done twice. */
const isDoneByStatus = ({ method, response }: Endpoint) => method !== "GET" && response.safeParse(DONE).success;

/** A refusal is an error, whatever its status. */
export function requireSuccess(answer: unknown): void {
  if (!isRefused(answer)) return;
  const said = "message" in answer && typeof answer.message === "string" && answer.message;
  throw new ApiError(said || "An error occurred", "API_ERROR", 422, { fromServer: Boolean(said) });
}

type Report = (issues: { code: string; path: string; message: string }[]) => void;

/**
 * A response that breaks its contract is logged and used as it is (product specification, section 5). Null, which says
 * here that a backend has no such call, is one without fields.
 */
function check<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  onMismatch: z.output<Schema> | undefined,
  report: Report,
) {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  // Where and how it differs, never what was in it: responses carry personal data.
  report(result.error.issues.map(({ code, path, message }) => ({ code, path: path.join("."), message })));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the specification wants the raw data used
  return onMismatch ?? ((readFigures(raw, result.error.issues) ?? {}) as z.output<Schema>);
}
