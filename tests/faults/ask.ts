import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** How long to wait for a response, in milliseconds. */
const PATIENCE = 20_000;

export type Question = {
  method?: string;
  path: string;
  token?: string;
  cookie?: string;
  body?: unknown;
  from?: string;
};
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; ms: number };

/** The error for a missing response: nobody accepted the request, or it was accepted and the connection broke. */
export class NoAnswer extends Error {
  readonly wasTaken: boolean;
  readonly ms: number;

  constructor(cause: unknown, wasTaken: boolean, ms: number) {
    super("There was no answer", { cause });
    this.wasTaken = wasTaken;
    this.ms = ms;
  }
}

export const keepAlive = () => new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends one request, and returns the response, whatever it is. Throws NoAnswer. */
export async function ask(origin: string, question: Question, agent?: Agent): Promise<Answer> {
  const { body, cookie, from, method = "GET", path, token } = question;
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const begun = performance.now();
  const since = () => performance.now() - begun;
  let isConnected = false;
  try {
    const { promise, reject, resolve } = Promise.withResolvers<IncomingMessage>();
    const asking = request(origin + path, {
      method,
      ...(agent && { agent }),
      signal: AbortSignal.timeout(PATIENCE),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cookie && { cookie }),
        ...(from && { "x-forwarded-for": from }),
        ...(sent && { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
      },
    });
    asking.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => (isConnected = true));
      else isConnected = true;
    });
    asking.on("error", reject);
    asking.on("response", resolve);
    asking.end(sent);
    const response = await promise;
    const said = await text(response);
    return { status: response.statusCode ?? 0, headers: response.headers, text: said, ms: since() };
  } catch (error) {
    throw new NoAnswer(error, isConnected, since());
  }
}
