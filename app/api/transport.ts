import { timeout } from "remix-utils/promise";

/** Sends requests to a backend and returns its responses. */
export type Transport = {
  /** The URL in front of the backend's paths. */
  baseUrl: string;
  /** Headers of every request, in addition to the bearer token. */
  headers: Record<string, string>;
  /** Rejects if no response comes in time. */
  fetch: (request: Request) => Promise<Response>;
  /**
   * The same for events and files, which arrive while they are being created: only their beginning has to come in time.
   */
  fetchStream: (request: Request) => Promise<Response>;
  /** Answers a read without a request and a response, if the backend is in this process. */
  read?: ReadInProcess;
};

/** A read. Its path has the names of parameters in braces, and its headers have lowercase names. */
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
  /** The API of this installation, wherever the other two are. */
  own?: Transport;
};

type Fetch = Transport["fetch"];

/** The client behind the calls. Sent along for rate limits, and for the list of sessions that members see. */
type ClientFacts = {
  address: string;
  userAgent: string;
  deviceToken: string | undefined;
  /** The id of the page's request, by which to find what a backend logs about its calls. */
  requestId: string;
};

/** The API in this process. */
type Embedded = { fetch: Fetch; read?: ReadInProcess };

export type BackendSettings = {
  /** The embedded API, called without a socket. */
  embedded: Embedded;
  apiUrl?: string | undefined;
  authApiUrl?: string | undefined;
  /** The static key that the auth part requires. */
  authApiKey?: string | undefined;
  client: ClientFacts;
};

/** How long a page waits for its backend, in milliseconds. All calls that it makes together share this time. */
const TIME_OUT_MS = 10_000;
/**
 * How long a later call may take, in milliseconds: above all the one that asks whether a write with a lost response has
 * taken effect.
 */
const LAST_CHANCE_MS = 2_000;

export const EVENT_STREAM = "text/event-stream";

/**
 * Opens the transports for the two clients of the specification: main, and auth with its static key.
 * With a URL, a client is remote. Without AUTH_API_URL, the auth part is where the main one is. Open them once per
 * page: however many calls it makes one after the other, a silent backend costs it little more than one time-out.
 */
export function openTransports(settings: BackendSettings): Transports {
  const { embedded, apiUrl, authApiUrl = apiUrl, authApiKey } = settings;
  const client = describeClient(settings.client);
  const timeLeft = startTimeout();
  const open = (url: string | undefined) => (url ? overHttp(url, timeLeft) : inProcess(embedded));
  return {
    main: { ...open(apiUrl), headers: client },
    auth: { ...open(authApiUrl), headers: { ...client, ...(authApiKey && { "x-api-key": authApiKey }) } },
    own: { ...inProcess(embedded), headers: client },
  };
}

/** Describes the client in headers. A remote API believes the address and id only from proxies that it trusts. */
function describeClient({ address, userAgent, deviceToken, requestId }: ClientFacts): Record<string, string> {
  return {
    "x-request-id": requestId,
    ...(address && { "x-forwarded-for": address }),
    ...(userAgent && { "user-agent": userAgent }),
    ...(deviceToken && { "x-device-token": deviceToken }),
  };
}

/** The host name never reaches a network: the embedded API looks only at the path. */
const inProcess = ({ fetch, read }: Embedded) => ({
  baseUrl: "http://embedded.invalid",
  fetch,
  fetchStream: fetch,
  ...(read && { read }),
});

const overHttp = (baseUrl: string, timeLeft: () => number) => ({
  baseUrl,
  fetch: (request: Request) => send(request, AbortSignal.timeout(timeLeft()), collect),
  fetchStream: (request: Request) => begin(request, timeLeft()),
});

/**
 * Returns a function that says how many milliseconds the next call may take. Counts from the first call, because a form
 * itself may arrive slowly.
 */
function startTimeout(): () => number {
  let begun: number | undefined;
  return () => {
    const now = performance.now();
    begun ??= now;
    return Math.max(LAST_CHANCE_MS, Math.ceil(TIME_OUT_MS - (now - begun)));
  };
}

/**
 * Sends a request for a stream, which lasts for as long as somebody reads it. Waits only for its beginning, or for all
 * of an error.
 */
function begin(request: Request, ms: number): Promise<Response> {
  const controller = new AbortController();
  return timeout(send(request, controller.signal, collectRefusal), { ms, controller });
}

const collect = async (response: Response) =>
  response.body ? new Response(await bound(response).arrayBuffer(), response) : response;

const collectRefusal = async (response: Response) => (response.ok ? response : collect(response));

/** The largest response, decompressed, in bytes. The results for each line of a 200 kB file take a third of it. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Cuts off an endless response: one backend must not use up all memory. */
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
 * Sends a request, and takes what it needs of the response. A read whose connection breaks meanwhile is sent once more,
 * because another process of the backend may answer. A write is not: nobody knows whether it was done.
 */
function send(request: Request, timeOut: AbortSignal, take: typeof collect): Promise<Response> {
  const rules = {
    signal: AbortSignal.any([request.signal, timeOut]),
    // An API does not redirect. Following a redirect would send the key to whatever it points at.
    redirect: "manual",
  } as const;
  const attempt = async () => take(await fetch(request, rules));
  return attempt().catch((error: unknown) => {
    if (request.method === "GET" && isBroken(error)) return attempt();
    throw error;
  });
}

const BROKEN = new Set<unknown>(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function isBroken(error: unknown): boolean {
  const cause = error instanceof Error && error.cause;
  return cause instanceof Error && "code" in cause && BROKEN.has(cause.code);
}
