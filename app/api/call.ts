import type * as z from "zod";
import type { Endpoint } from "../../server/http/contract.ts";
import { isAuthEvent, type AuthEvent } from "./auth-event.ts";
import { ApiError, readErrorResponse, toApiError, toNetworkError } from "./api-error.ts";
import { notOffered, type MissingCalls } from "./missing-calls.ts";
import type { Transports } from "./transport.ts";
import { withRetries } from "./with-retries.ts";

export type Query = Record<string, string | number | undefined>;

export type CallInput<E extends Endpoint> = (E["body"] extends z.ZodType
  ? { body: z.input<E["body"]> }
  : { body?: undefined }) & {
  params?: Record<string, string>;
  query?: Query;
  headers?: Record<string, string>;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
};

export type CallRules<E extends Endpoint> = {
  /** What is thrown when the call needs an access token and there is none. */
  signedOutMessage?: string;
  /** Stands in for a response that does not match its contract; the raw data does otherwise. */
  onMismatch?: z.output<E["response"]>;
  /** How often a write is sent again when the backend is not there. */
  retries?: number;
  /** What a write has brought about, where its answer may have been lost; null where nothing. */
  findOutcome?: () => Promise<z.output<E["response"]> | null>;
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

/** Sends calls as their contracts define them, and brings the responses that are ok. Every failure is an ApiError. */
export function createSender({ main, auth, accessToken, onEvent }: Omit<CallerOptions, "log" | "isRepeated">) {
  const transports = { main, auth };

  return async function send<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    signedOutMessage = "No access token provided",
  ): Promise<Response> {
    if (endpoint.access !== "anyone" && !accessToken) throw new ApiError(signedOutMessage, "UNAUTHENTICATED", 401);
    const { baseUrl, fetch, fetchStream, headers } = transports[endpoint.service];
    const request = toRequest(endpoint, input, baseUrl, {
      ...headers,
      ...(endpoint.access !== "anyone" && { Authorization: `Bearer ${accessToken}` }),
      ...input.headers,
    });
    const response = await (endpoint.mediaType || endpoint.streams ? fetchStream : fetch)(request).catch(
      (error: unknown) => {
        throw toNetworkError(error);
      },
    );
    const event = response.headers.get("x-auth-event");
    if (isAuthEvent(event)) onEvent?.(event);
    if (!response.ok) throw await readErrorResponse(response);
    return response;
  };
}

/** Sends calls, and checks what comes back against their contracts. Every failure is an ApiError. */
export function createCaller({ log, isRepeated, ...options }: CallerOptions) {
  const send = createSender(options);

  async function ask<E extends Endpoint>(endpoint: E, input: CallInput<E>, rules: CallRules<E>) {
    const { onMismatch, signedOutMessage } = rules;
    const response = await send(endpoint, input, signedOutMessage);
    const raw = await readJson(response, onMismatch !== undefined);
    return check<E["response"]>(endpoint.response, raw, onMismatch, (issues) =>
      log.error({ endpoint: `${endpoint.method} ${endpoint.path}`, issues }, "Parsed error"),
    );
  }

  return async function call<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    rules: CallRules<E> = {},
  ): Promise<z.output<E["response"]>> {
    return withRetries({ ...rules, isRepeated }, () => ask(endpoint, input, rules));
  };
}

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
export function toRequest<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  baseUrl: string,
  headers: Record<string, string>,
) {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? ""),
  );
  const given = Object.entries(input.query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
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

/** What is not JSON matches no contract either: `undefined` where the caller has a stand-in for that. */
async function readJson(response: Response, hasStandIn: boolean): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (hasStandIn) return undefined;
    throw toApiError(error);
  }
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
  return onMismatch ?? ((raw ?? {}) as z.output<Schema>);
}
