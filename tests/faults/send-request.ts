import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** How long to wait for a response, in milliseconds. */
const TIMEOUT_MS = 20_000;

export type HttpRequest = {
  method?: string;
  path: string;
  token?: string;
  cookie?: string;
  body?: unknown;
  from?: string;
};
export type HttpResult = { status: number; headers: IncomingHttpHeaders; text: string; ms: number };

/** The error for a missing response: nobody accepted the request, or it was accepted and the connection broke. */
export class NoResponse extends Error {
  readonly wasTaken: boolean;
  readonly ms: number;

  constructor(cause: unknown, wasTaken: boolean, ms: number) {
    super("There was no answer", { cause });
    this.wasTaken = wasTaken;
    this.ms = ms;
  }
}

export const keepAlive = () => new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends one request, and returns the response, whatever it is. Throws NoResponse. */
export async function sendRequest(origin: string, wanted: HttpRequest, agent?: Agent): Promise<HttpResult> {
  const { body, cookie, from, method = "GET", path, token } = wanted;
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const begun = performance.now();
  const since = () => performance.now() - begun;
  let isConnected = false;
  try {
    const { promise, reject, resolve } = Promise.withResolvers<IncomingMessage>();
    const outgoing = request(origin + path, {
      method,
      ...(agent && { agent }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cookie && { cookie }),
        ...(from && { "x-forwarded-for": from }),
        ...(sent && { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
      },
    });
    outgoing.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => (isConnected = true));
      else isConnected = true;
    });
    outgoing.on("error", reject);
    outgoing.on("response", resolve);
    outgoing.end(sent);
    const response = await promise;
    const received = await text(response);
    return { status: response.statusCode ?? 0, headers: response.headers, text: received, ms: since() };
  } catch (error) {
    throw new NoResponse(error, isConnected, since());
  }
}
