import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isPublicHost, lookUpPublic, NotPublic } from "./public-address.ts";

/** How long a receiver may take in all, in milliseconds, and how many bytes of its response are read. */
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024;

export type Sending = {
  /** Whether the message may go to this machine or its network. */
  toPrivate: boolean;
  timeout?: number;
  /** The certificate authority to trust for receivers, in place of the public ones. */
  ca?: string;
};

type Message = { url: string; headers: Record<string, string>; body: string };

/** The status that a receiver answered with, or why there is none. */
export type DeliveryResponse = { status: number } | { status: null; problem: string };

/**
 * Sends a message once, over its own connection. Follows no redirect, reads little of the response and times out. Never
 * throws.
 */
export async function send(message: Message, sending: Sending): Promise<DeliveryResponse> {
  const url = new URL(message.url);
  if (!sending.toPrivate && !isPublicHost(url.hostname))
    return { status: null, problem: describe(new NotPublic(HOST)) };
  const { promise, resolve } = Promise.withResolvers<DeliveryResponse>();
  const lookup = sending.toPrivate ? undefined : lookUpPublic;
  const sent = request(url, {
    method: "POST",
    headers: { ...message.headers, "Content-Length": Buffer.byteLength(message.body) },
    agent: false,
    ...(lookup && { lookup }),
    ...(sending.ca && { ca: sending.ca }),
    maxHeaderSize: MAX_RESPONSE_BYTES,
  });
  let answer: DeliveryResponse | undefined;
  // A response that has begun counts, however it ends. Every event that may be the last calls this: `close` may never
  // come.
  const end = (error: Error = new Error("It hung up.")) => {
    resolve(answer ?? { status: null, problem: describe(error) });
    sent.destroy();
  };
  const hear = (response: IncomingMessage) => void (answer = { status: response.statusCode ?? 0 });
  const timer = setTimeout(() => end(new TooLate()), sending.timeout ?? TIMEOUT_MS);
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
      if (size > MAX_RESPONSE_BYTES) end();
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

/** Describes an error in our own words, with the system's error code. Keeps nothing that a receiver said. */
function describe(error: Error): string {
  if (error instanceof TooLate) return "It did not answer in time.";
  if (error instanceof NotPublic) return `Not sent: ${error.message}`;
  return `It could not be reached${"code" in error ? ` (${String(error.code)})` : ""}.`;
}
