import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createAppUnderTest } from "./app-under-test.ts";
import { listen } from "../../../server/http/listening/listen.ts";
import { fixedHeaders } from "../../../server/http/middleware/security-headers.ts";

type AppOptions = Parameters<typeof createAppUnderTest>[0];
type ListenOptions = Parameters<typeof listen>[1];

/** Starts the app under test on a socket. Also returns the lines that both have logged. */
export async function startUnderTest(options: AppOptions = {}, listenOptions: Partial<ListenOptions> = {}) {
  const headers = fixedHeaders({});
  const { app, log, logged } = createAppUnderTest(options);
  const listening = await listen(app, { port: 0, host: "127.0.0.1", log, headers, ...listenOptions });
  return { ...listening, logged };
}

/**
 * Opens a raw connection that sends exactly what it is given, and collects the response until the server hangs up. A
 * reset counts as that too: it is what a client gets that was still sending.
 */
export async function openRawClient(url: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.on("error", () => {});
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  return { socket, closed, heard: (part: string) => until(socket, () => text.includes(part)) };
}

function until(socket: Socket, condition: () => boolean) {
  return new Promise<void>((resolve) => {
    const check = () => condition() && resolve();
    socket.on("data", check);
    check();
  });
}

/** Sends one request, and returns everything the server sends until it hangs up. */
export async function sendRaw(url: string, request: string): Promise<string> {
  const { socket, closed } = await openRawClient(url);
  socket.write(request);
  return closed;
}
