import { Hono, type Context } from "hono";
import type * as z from "zod";
import { takeTime } from "../db/patience.ts";
import { AppError } from "../errors.ts";
import { actFor, clientCaller, memberCaller } from "../fair-share/caller.ts";
import type { Logger } from "../log/log.ts";
import { isSameSecret } from "../secrets/same-secret.ts";
import { inSpan } from "../tracing/spans.ts";
import { callWithin, oncePerPage, type CallScope } from "./call-scope.ts";
import { describeClient, type Client, limitKeyOf, nameNetwork } from "./client.ts";
import type { Endpoint } from "./contract.ts";
import { respondWithEvents, type EventStream } from "./event-stream.ts";
import { nameCall, type Attempt } from "./explain-error.ts";
import { FileAnswer } from "./static/file-answer.ts";

/** Who a call was made for: a session (sign-in) or a device key of the member's. */
export type Caller = {
  userId: string;
  sessionId?: string;
  deviceId?: string;
  /** From which position of the primary's log on a replica has what the session is to see; null while that is not known. */
  readsFrom?: string | null;
  /** Whether this call has renewed the session: it is told to the caller as the event TOKEN_REFRESHED. */
  isRefreshed?: boolean;
};

/** Who asks, and from where. */
export type Asked = { caller: Caller; client: Client };

/** How an answer names an event of the authentication provider that its call has caused. */
export const AUTH_EVENT_HEADER = "x-auth-event";

export type ApiBindings = { scope?: CallScope };
/** Over HTTP a call has the log and the client's address of its request. */
export type ApiEnv = { Bindings: ApiBindings; Variables: { log?: Logger; clientAddress?: string; caller?: Caller } };

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export type Call<E extends Endpoint> = {
  params: Output<E["params"]>;
  query: Output<E["query"]>;
  headers: Output<E["headers"]>;
  body: Output<E["body"]>;
  caller: E["access"] extends "anyone" ? undefined : Caller;
  client: Client;
};

type Announced<E extends Endpoint> = Pick<Call<E>, "caller" | "client"> & {
  /** Bytes of the body, as announced; Infinity where nobody has said. */
  bodySize: number;
};

export type Route = {
  endpoint: Endpoint;
  handle: (call: never) => Promise<unknown>;
  admit?: (asked: never) => Promise<void>;
  verify?: (message: never) => void;
};

type Answer<E extends Endpoint> = E["streams"] extends true
  ? EventStream
  : E["mediaType"] extends string
    ? FileAnswer
    : z.input<E["response"]>;

/** A body as it came, of which nothing has been believed yet. */
type Message<E extends Endpoint> = Pick<Call<E>, "headers"> & { text: string };

type Guards<E extends Endpoint> = {
  /** Throws for a call that is not worth its work: nothing of its body has been read by then. */
  admit?: (asked: Announced<E>) => Promise<void>;
  /** Throws for a body that does not come from whom it says. */
  verify?: (message: Message<E>) => void;
};

/** Binds a contract to the function that answers it; the types of both must agree. */
export const route = <const E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<Answer<E>>,
  guards: Guards<E> = {},
): Route => ({ endpoint, handle, ...guards });

/** Who must be known to make a call. */
export type KnownAccess = Exclude<Endpoint["access"], "anyone">;

type Gate = {
  /** Resolves the credential of a call. Throws UNAUTHENTICATED, and FORBIDDEN for who is no administrator. */
  authenticate: (credential: string, access: KnownAccess) => Promise<Caller>;
  /** The static key that calls to the auth part must carry, when one is configured. */
  authApiKey: string | undefined;
  /** Does the work of a call, wherever its data may come from. */
  answer?: (endpoint: Endpoint, caller: Caller | undefined, work: () => Promise<unknown>) => Promise<unknown>;
  /** Turns what was thrown into the failure to answer with; logs what was refused and what was not expected. */
  explain: (error: Error, log?: Logger, attempt?: Attempt) => AppError;
};

/** Mounts routes on a Hono app: checks the key, the caller and the input, and answers JSON, or a file. */
export function mountRoutes(routes: Route[], gate: Gate): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const paths = new Map<string, string[]>();
  for (const route of routes) {
    const { endpoint } = route;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1");
    paths.set(path, [...(paths.get(path) ?? []), endpoint.method]);
    const answer = (c: Context<ApiEnv>) => {
      requireApiKey(c, endpoint, gate.authApiKey);
      const client = findClient(c);
      return actFor(clientCaller(limitKeyOf(client.address)), () =>
        callWithin(c.env?.scope, endpoint, async () => {
          const caller = await findCaller(c, endpoint, gate.authenticate);
          c.set("caller", caller);
          if (endpoint.access === "administrator") takeTime();
          const answerTo = () => answerCall(c, route, { caller, client }, gate);
          return caller ? actFor(memberCaller(caller.userId), answerTo) : answerTo();
        }),
      );
    };
    app.on(endpoint.method, path, (c) => inSpan(`${endpoint.method} ${path}`, {}, async () => answer(c)));
  }
  for (const [path, methods] of paths) app.all(path, () => refuseMethod(methods));
  app.onError((error, c) => gate.explain(error, c.get("log"), describeAttempt(c)).toResponse());
  return app;
}

async function answerCall(
  c: Context<ApiEnv>,
  { admit, endpoint, handle, verify }: Route,
  asked: { caller: Caller | undefined; client: Client },
  gate: Gate,
): Promise<Response> {
  /* oxlint-disable typescript/no-unsafe-type-assertion -- route() has matched both to the contract */
  const bodySize = Number(c.req.header("content-length") ?? Infinity);
  await admit?.({ ...asked, bodySize } as never);
  const call = { ...asked, ...(await readInput(c, endpoint, verify)) } as never;
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  const work = () => handle(call);
  const answer = await (gate.answer ? gate.answer(endpoint, asked.caller, work) : work());
  const report = (error: Error) => void gate.explain(error, c.get("log"));
  const response = toResponse(c, answer, report);
  response.headers.set("Cache-Control", "no-store");
  if (asked.caller?.isRefreshed) response.headers.set(AUTH_EVENT_HEADER, "TOKEN_REFRESHED");
  return response;
}

function describeAttempt(c: Context<ApiEnv>): Attempt {
  const caller = c.get("caller");
  return {
    call: nameCall(c.req.method, c.req.path),
    network: nameNetwork(findClient(c).address),
    ...(caller && { member: caller.userId }),
  };
}

function toResponse(c: Context, answer: unknown, report: (error: Error) => void): Response {
  if (answer instanceof FileAnswer) return answer.toResponse(report);
  return answer instanceof ReadableStream ? respondWithEvents(c.req, answer) : c.json(answer);
}

function requireApiKey(c: Context, endpoint: Endpoint, key: string | undefined) {
  if (endpoint.service !== "auth" || !key || isSameSecret(c.req.header("x-api-key"), key)) return;
  throw new AppError("INVALID_API_KEY", "This call needs a valid API key.");
}

const findClient = (c: Context<ApiEnv>) =>
  describeClient({
    address: c.env?.scope?.clientAddress ?? c.get("clientAddress") ?? "",
    header: (name) => c.req.header(name),
  });

async function findCaller(c: Context<ApiEnv>, { access }: Endpoint, authenticate: Gate["authenticate"]) {
  if (access === "anyone") return undefined;
  const credential = /^Bearer (\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  if (!credential) throw new AppError("UNAUTHENTICATED", "Sign in first.");
  return oncePerPage(`caller ${access} ${credential}`, () => authenticate(credential, access));
}

/** PostgreSQL's texts cannot hold it, and no field of ours has a use for it. */
const NO_NUL = "The character U+0000 is not allowed.";

function refuseNul<Values extends Record<string, string>>(values: Values): Values {
  if (Object.values(values).some((value) => value.includes("\0"))) throw new AppError("VALIDATION_ERROR", NO_NUL);
  return values;
}

async function readInput(c: Context, endpoint: Endpoint, verify: Route["verify"]) {
  const headers = endpoint.headers && parseInput(endpoint.headers, c.req.header());
  const check = (text: string) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- route() has matched it to the contract
    verify?.({ headers, text } as never);
  };
  return {
    params: endpoint.params && parseInput(endpoint.params, refuseNul(c.req.param())),
    query: endpoint.query && parseInput(endpoint.query, refuseNul(c.req.query())),
    headers,
    body: endpoint.body && parseInput(endpoint.body, await readJson(c, check)),
  };
}

async function readJson(c: Context, check: (text: string) => void): Promise<unknown> {
  if (!/^application\/json\b/i.test(c.req.header("content-type") ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json.");
  }
  const text = await c.req.text();
  check(text);
  if (text.includes("\\u0000")) throw new AppError("VALIDATION_ERROR", NO_NUL);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("VALIDATION_ERROR", "The body is not valid JSON.", { cause });
  }
}

/** What a call brings, as its contract has it. Throws VALIDATION_ERROR, with what is wrong by field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const fields: Record<string, string[]> = {};
  for (const { path, message } of result.error.issues) (fields[path.join(".")] ??= []).push(message);
  const [first] = result.error.issues;
  throw new AppError("VALIDATION_ERROR", first?.message ?? "The input is not valid.", { fields });
}

function refuseMethod(methods: string[]): never {
  throw new AppError("METHOD_NOT_ALLOWED", "That method is not allowed here.", {
    headers: { Allow: methods.join(", ") },
  });
}
