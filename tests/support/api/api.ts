import type * as z from "zod";
import { createKeyedCredentials } from "../../../server/secrets/credential.ts";
import { issueBotCheck } from "../../../server/auth/contract.ts";
import { createPasswordHasher } from "../../../server/auth/password/password-hasher.ts";
import { registerMember, type NewMember } from "../../../server/auth/sign-up/registration.ts";
import { createApi } from "../../../server/api.ts";
import { createEmbeddedBotCheck } from "../../../server/bot-check/embedded.ts";
import { createEmbeddedChain } from "../../../server/chain/embedded/embedded-chain.ts";
import type { Database } from "../../../server/db/client.ts";
import type { Deps } from "../../../server/deps.ts";
import { readEnv, type Env } from "../../../server/env.ts";
import type { Client } from "../../../server/http/client.ts";
import type { Endpoint } from "../../../server/http/contract.ts";
import { createCallScope, type CallScope } from "../../../server/http/call-scope.ts";
import type { LegalDocumentName } from "../../../server/legal/contract.ts";
import { acceptDocument } from "../../../server/legal/service.ts";
import { createLog } from "../../../server/log/log.ts";
import { createMetrics } from "../../../server/metrics/metrics.ts";
import { createOutbox } from "../../../server/mail/outbox.ts";
import { readUser } from "../../../server/profile/service.ts";
import { createRateLimiter } from "../../../server/rate-limits/rate-limiter.ts";
import { startSession } from "../../../server/sessions/service.ts";
import type { Secrets } from "../../../server/secrets/secrets.ts";
import { openOutgoing } from "../../../server/webhooks/outgoing.ts";
import { createWalletNonces } from "../../../server/wallet/nonce.ts";
import { createBoard } from "../../../server/status/board.ts";
import { createWaker } from "../../../server/jobs/waker.ts";
import { createDocumentCheck } from "./api-document.ts";
import { withAdvance, type TestChain } from "./jobs.ts";

export const TEST_PASSWORD = "correct horse battery";
const SECRETS = ["a secret of the tests, long enough for a key"] as const;

/** A log that writes nowhere. A log on stdout adds listeners to it and to the process, and tests create many logs. */
export const SILENT = createLog({ level: "silent", destination: { write: () => {} } });

/**
 * One hasher for all tests, because each has its own threads. Weak and quick: password-hasher.test.ts tests real
 * hashes.
 */
const QUICK_HASHER = createPasswordHasher({ memoryKib: 64 });

/** A client about which a test says nothing. */
export const NO_CLIENT: Client = { address: "", userAgent: "", deviceHash: undefined };

type TestDeps = Omit<Deps, "chain"> & { chain: TestChain };
type DepsOptions = Partial<Omit<Deps, "db" | "env">> & { env?: Partial<Env>; secrets?: Secrets };

/**
 * Creates the services' real dependencies on a test database: the settings of a demo, a silent log, and production
 * engines except for passwords.
 */
export function createTestDeps(database: Pick<Database, "db">, options: DepsOptions = {}): TestDeps {
  const {
    chain,
    env,
    jobs = createWaker(),
    log = SILENT,
    metrics = createMetrics(),
    now = () => new Date(),
    secrets = SECRETS,
    ...engines
  } = options;
  const { db } = database;
  return {
    db,
    now,
    env: { ...readEnv({ LOG_LEVEL: "silent" }), ...env },
    jobs,
    log,
    metrics,
    passwords: QUICK_HASHER,
    botCheck: createEmbeddedBotCheck({ db, now, secrets }),
    limits: createRateLimiter({ db, now, secrets }),
    mailed: createKeyedCredentials(secrets),
    outgoing: openOutgoing(secrets, { toPrivate: false }),
    outbox: createOutbox({ secrets, now, jobs, metrics }),
    status: createBoard({ now }),
    walletNonces: createWalletNonces(secrets),
    chain: withAdvance({ db, log, now }, chain ?? createEmbeddedChain({ db, log, now, secrets })),
    ...engines,
  };
}

/** Ten thousand days in milliseconds: a clock moved by this is ahead of every clock that tests use. */
export const FAR_AHEAD = 10_000 * 24 * 60 * 60_000;

/** Creates a clock that stands still until it is advanced. Times are in milliseconds. */
export function createTestClock(start: string | Date = "2026-11-20T12:00:00.000Z") {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    advance(milliseconds: number) {
      time += milliseconds;
    },
  };
}

type CallOptions = {
  token?: string;
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON; a string is sent as is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The address that the call comes from; a new one unless given. */
  clientAddress?: string;
};

export type TestResponse = { status: number; headers: Headers; body: unknown };

/** The documents of APIs by their routes. Making one takes longer than most tests. */
const documents = new Map<string, Promise<string>>();

/** Returns an API's document. APIs with the same routes share one. */
function readDocument(http: ReturnType<typeof createApi>["http"]): Promise<string> {
  const key = http.routes.map(({ method, path }) => `${method} ${path}`).join();
  const document =
    documents.get(key) ?? Promise.resolve(http.request("/api/openapi.json")).then((response) => response.text());
  documents.set(key, document);
  return document;
}

/**
 * Creates the whole API on a test database. Checks every response against the API's own OpenAPI document: an
 * undocumented status or body fails the test.
 */
export function createTestApi(database: Pick<Database, "db">, overrides: DepsOptions = {}) {
  const deps = createTestDeps(database, overrides);
  const { http, read: readWithin } = createApi(deps);
  const document = readDocument(http);

  /** Makes one call, to an endpoint or to any "METHOD /path". */
  async function call(target: Endpoint | `${string} /${string}`, options: CallOptions = {}): Promise<TestResponse> {
    const [method = "", path = ""] = typeof target === "string" ? target.split(" ") : [target.method, target.path];
    const check = createDocumentCheck(await document);
    const scope = createCallScope(options.clientAddress ?? nextAddress());
    const response = await http.request(toRequest(method, path, options), undefined, { scope });
    const text = await response.text();
    const body: unknown = /\bjson\b/.test(response.headers.get("Content-Type") ?? "") ? JSON.parse(text) : text;
    check({ method, path, status: response.status, headers: response.headers, body });
    return { status: response.status, headers: response.headers, body };
  }

  /** Returns the body of a call that must succeed. */
  async function read<Shape extends z.ZodType>(
    endpoint: Omit<Endpoint, "response"> & { response: Shape },
    options: CallOptions = {},
  ): Promise<z.output<Shape>> {
    const { status, body } = await call(endpoint, options);
    if (status !== 200) throw new Error(`${endpoint.path} answered ${status}: ${JSON.stringify(body)}`);
    return endpoint.response.parse(body);
  }

  return {
    deps,
    call,
    read,
    fetch: (request: Request) => http.request(request),
    /** The same, within the scope of a page's other calls. */
    fetchWithin: (request: Request, scope?: CallScope) => http.request(request, undefined, { scope }),
    /** Reads for a page in this process. */
    readWithin,
  };
}

/** Returns a token of the built-in bot check, as old as it would be after a person has filled in a form. */
export async function fillForm(
  { read }: Pick<ReturnType<typeof createTestApi>, "read">,
  clock: Pick<ReturnType<typeof createTestClock>, "advance">,
): Promise<string> {
  const { turnstileToken } = await read(issueBotCheck);
  clock.advance(300);
  return turnstileToken;
}

let clients = 0;
function nextAddress() {
  clients += 1;
  return `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
}

function toRequest(method: string, path: string, { body, headers, params = {}, query = {}, token }: CallOptions) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const url = new URL(filled, "http://api.test");
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Request(url, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(text !== undefined && {
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(text)),
      }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  });
}

type MemberSeed = Partial<Omit<NewMember, "password" | "passwordHash">> & {
  password?: string;
  passwordHash?: string;
  /** The documents that they have accepted in their current versions: both, unless given. */
  accepted?: readonly LegalDocumentName[];
};

export const BOTH_DOCUMENTS: readonly LegalDocumentName[] = ["tos", "pp"];

let members = 0;
let sharedHash: Promise<string> | undefined;

/** Registers a member with a running session. The password is TEST_PASSWORD unless another is given. */
export async function seedMember(deps: Deps, { password, accepted = BOTH_DOCUMENTS, ...member }: MemberSeed = {}) {
  const hash = password ? deps.passwords.hash(password) : (sharedHash ??= deps.passwords.hash(TEST_PASSWORD));
  const email = `member-${++members}@nodebeat.test`;
  const { id } = await registerMember(deps, { email, passwordHash: await hash, ...member });
  for (const document of accepted) await acceptDocument(deps, id, document);
  const { token } = await startSession(deps, { userId: id, client: NO_CLIENT });
  return { user: await readUser(deps, id), token };
}
