import { timeout } from "remix-utils/promise";

/** Carries requests to a backend and brings back its responses. */
export type Transport = {
  /** Where the backend's paths begin. */
  baseUrl: string;
  /** Sent with every request, beside the bearer token. */
  headers: Record<string, string>;
  /** Rejects when no response comes in time. */
  fetch: (request: Request) => Promise<Response>;
  /** The same for events and files, which come as they are made: only their beginning has to come in time. */
  fetchStream: (request: Request) => Promise<Response>;
  /** Answers a read without a request and a response around it, where the backend is in this process. */
  read?: ReadInProcess;
};

/** A read by its path with the names of its parameters in braces, and the headers by their names in lower case. */
type Reading = {
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
};
type ReadInProcess = (reading: Reading) => Promise<{ status: number; body: unknown; headers: Record<string, string> }>;

export type Transports = {
  main: Transport;
  auth: Transport;
  /** The API of this very installation, wherever the other two stand. */
  own?: Transport;
};

type Fetch = Transport["fetch"];

/** Whom the calls are made for: sent along, for limits and for what members see of their sessions. */
type ClientFacts = {
  address: string;
  userAgent: string;
  deviceToken: string | undefined;
  /** Of the page's request: what a backend logs of its calls is found by it. */
  requestId: string;
};

/** The API in the same process. */
type Embedded = { fetch: Fetch; read?: ReadInProcess };

export type BackendSettings = {
  /** The embedded API, called without a socket. */
  embedded: Embedded;
  apiUrl?: string | undefined;
  authApiUrl?: string | undefined;
  /** The static key that the auth part asks for. */
  authApiKey?: string | undefined;
  client: ClientFacts;
};

/** How long a page waits for its backend: all that it asks at once has this. */
const TIME_OUT_MS = 10_000;
/** What is asked after that still has this: whether a write whose answer was lost has taken effect, first of all. */
const LAST_CHANCE_MS = 2_000;

export const EVENT_STREAM = "text/event-stream";

/**
 * The transports for the two clients of the specification: main, and auth with its static key.
 * An address makes its client remote; without AUTH_API_URL the auth part stands where the main one does. For one page:
 * however many calls it makes one after the other, a silent backend costs it one time-out, and little more.
 */
export function openTransports(settings: BackendSettings): Transports {
  const { embedded, apiUrl, authApiUrl = apiUrl, authApiKey } = settings;
  const client = describeClient(settings.client);
  const timeLeft = startPatience();
  const open = (url: string | undefined) => (url ? overHttp(url, timeLeft) : inProcess(embedded));
  return {
    main: { ...open(apiUrl), headers: client },
    auth: { ...open(authApiUrl), headers: { ...client, ...(authApiKey && { "x-api-key": authApiKey }) } },
    own: { ...inProcess(embedded), headers: client },
  };
}

/** A remote API believes address and id from those it trusts as proxies alone. */
function describeClient({ address, userAgent, deviceToken, requestId }: ClientFacts): Record<string, string> {
  return {
    "x-request-id": requestId,
    ...(address && { "x-forwarded-for": address }),
    ...(userAgent && { "user-agent": userAgent }),
    ...(deviceToken && { "x-device-token": deviceToken }),
  };
}

/** The name of the host never reaches a network: the embedded API only looks at the path. */
const inProcess = ({ fetch, read }: Embedded) => ({
  baseUrl: "http://embedded.invalid",
  fetch,
  fetchStream: fetch,
  ...(read && { read }),
});

const overHttp = (baseUrl: string, timeLeft: () => number) => ({
  baseUrl,
  fetch: async (request: Request) => bound(await send(request, AbortSignal.timeout(timeLeft()))),
  fetchStream: (request: Request) => begin(request, timeLeft()),
});

/** Tells how many milliseconds the next call has. Counts from the first one: a form may come slowly itself. */
function startPatience(): () => number {
  let begun: number | undefined;
  return () => {
    const now = performance.now();
    begun ??= now;
    return Math.max(LAST_CHANCE_MS, Math.ceil(TIME_OUT_MS - (now - begun)));
  };
}

/** A stream goes on for as long as somebody reads it: only its beginning is waited for, and all of a refusal. */
function begin(request: Request, ms: number): Promise<Response> {
  const controller = new AbortController();
  return timeout(send(request, controller.signal).then(completeRefusal), { ms, controller });
}

const completeRefusal = async (response: Response) =>
  response.ok || !response.body ? response : new Response(await bound(response).arrayBuffer(), response);

/**
 * Bytes of the largest answer, once it is unpacked: what is said of each line of a file of 200 kB takes a third of it.
 */
const MOST_BYTES = 32 * 1024 * 1024;

/** Breaks off an answer that goes on and on: one backend must not take all memory. */
function bound(response: Response): Response {
  let size = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size <= MOST_BYTES) controller.enqueue(chunk);
        else controller.error(new Error(`The answer has more than ${MOST_BYTES} bytes`));
      },
    }),
  );
  return counted ? new Response(counted, response) : response;
}

/**
 * A read whose connection breaks is asked once more: of a backend of several processes another one answers. Whether a
 * write has been done nobody knows then.
 */
function send(request: Request, timeOut: AbortSignal): Promise<Response> {
  const rules = {
    signal: AbortSignal.any([request.signal, timeOut]),
    // An API does not redirect; following one would hand the key to whoever it points at.
    redirect: "error",
  } as const;
  return fetch(request, rules).catch((error: unknown) => {
    if (request.method === "GET" && isBroken(error)) return fetch(request, rules);
    throw error;
  });
}

const BROKEN = new Set<unknown>(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function isBroken(error: unknown): boolean {
  const cause = error instanceof Error && error.cause;
  return cause instanceof Error && "code" in cause && BROKEN.has(cause.code);
}
