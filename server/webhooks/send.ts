import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isPublicHost, lookUpPublic, NotPublic } from "./public-address.ts";

/** Milliseconds that a receiver has for everything, and bytes of its answer that are read. */
const PATIENCE = 10_000;
const MOST_ANSWERED = 16 * 1024;

export type Sending = {
  /** Whether it may go to this machine or its network. */
  toPrivate: boolean;
  patience?: number;
  /** Who vouches for receivers, in place of the authorities that everybody knows. */
  ca?: string;
};

type Message = { url: string; headers: Record<string, string>; body: string };

/** What a receiver said: its status, or why there is none. */
export type Answer = { status: number } | { status: null; problem: string };

/**
 * Sends a message once, over a connection of its own. Follows no redirect, reads little of the answer and waits for a
 * while; never throws.
 */
export async function send(message: Message, sending: Sending): Promise<Answer> {
  const url = new URL(message.url);
  if (!sending.toPrivate && !isPublicHost(url.hostname))
    return { status: null, problem: describe(new NotPublic(HOST)) };
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const lookup = sending.toPrivate ? undefined : lookUpPublic;
  const sent = request(url, {
    method: "POST",
    headers: { ...message.headers, "Content-Length": Buffer.byteLength(message.body) },
    agent: false,
    ...(lookup && { lookup }),
    ...(sending.ca && { ca: sending.ca }),
    maxHeaderSize: MOST_ANSWERED,
  });
  let answer: Answer | undefined;
  // An answer that has begun counts, however it ends. Each event that may be the last calls this: `close` may not come.
  const end = (error: Error = new Error("It hung up.")) => {
    resolve(answer ?? { status: null, problem: describe(error) });
    sent.destroy();
  };
  const hear = (response: IncomingMessage) => void (answer = { status: response.statusCode ?? 0 });
  const timer = setTimeout(() => end(new TooLate()), sending.patience ?? PATIENCE);
  sent.on("error", end).on("close", () => end());
  sent.once("upgrade", (response, socket) => {
    hear(response);
    socket.destroy();
    end();
  });
  sent.once("response", (response) => {
    hear(response);
    let size = 0;
    response.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size > MOST_ANSWERED) end();
    });
    response.on("end", () => end()).on("error", end);
  });
  sent.end(message.body);
  return promise.finally(() => clearTimeout(timer));
}

const HOST = "The host is not public.";

class TooLate extends Error {
  override name = "TooLate";
}

/** In words of ours, with the system's code: nothing that a receiver has said is kept. */
function describe(error: Error): string {
  if (error instanceof TooLate) return "It did not answer in time.";
  if (error instanceof NotPublic) return `Not sent: ${error.message}`;
  return `It could not be reached${"code" in error ? ` (${String(error.code)})` : ""}.`;
}
