import { useSyncExternalStore } from "react";
import { createStore } from "../ui/store.ts";

/**
 * Whether the server can be reached. "unreachable": the server has not answered in time. "offline": nor has it, and the
 * browser says that it is offline. That alone proves nothing, because a server on the same machine needs no network.
 */
export type Connection = "online" | "offline" | "unreachable";

/** How long a working server may take to answer, in milliseconds. */
export const CHECK_TIMEOUT_MS = 1250;
/** How long to wait if the browser reports a failure at once, in milliseconds: the page may just be about to unload. */
const REFUSED_MS = 100;
/**
 * About how often to ask an unreachable server again, in milliseconds. It varies, so that not all clients come back at
 * the same moment.
 */
const REPEAT_MS = 2000;
/** How long a response may take before we check the server, in milliseconds. */
const LATE_MS = 1000;

const connection = createStore<Connection>("online");
let probing: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Notes that the server has answered, whatever it said. */
export function markReachable(): void {
  stopProbing();
  connection.set("online");
}

/** Checks whether the server can be reached, and repeats that until it can. */
export function checkServer(): void {
  if (!probing && connection.get() === "online") void probe();
}

async function probe() {
  clearTimeout(timer);
  const { signal } = (probing = new AbortController());
  timer = setTimeout(markUnreachable, CHECK_TIMEOUT_MS);
  try {
    if (!(await isServerReachable(signal))) return;
    markReachable();
    // It may just have been reached for the last time.
    if (!navigator.onLine) timer = setTimeout(checkServer, REPEAT_MS);
  } catch {
    if (signal.aborted || connection.get() !== "online") return;
    if (!navigator.onLine) return markUnreachable();
    clearTimeout(timer);
    timer = setTimeout(markUnreachable, REFUSED_MS);
  }
}

/** Returns whether the server answers. A load balancer's 5xx means that there is no server behind it. */
export const isServerReachable = async (signal: AbortSignal): Promise<boolean> =>
  (await fetch("/healthz", { method: "HEAD", cache: "no-store", signal })).status < 500;

/** Counts the server as unreachable. A late answer still counts until the next check. */
export function markUnreachable(): void {
  clearTimeout(timer);
  timer = setTimeout(probeAgain, REPEAT_MS * (0.5 + Math.random()));
  connection.set(navigator.onLine ? "unreachable" : "offline");
}

function probeAgain() {
  stopProbing();
  void probe();
}

function stopProbing() {
  clearTimeout(timer);
  probing?.abort();
  probing = undefined;
}

/** Checks the server repeatedly while a response is late. Returns a function that stops it. */
export function checkServerWhileLate(): () => void {
  const late = setInterval(checkServer, LATE_MS);
  return () => clearInterval(late);
}

/** Waits for a response, and notes what it says about the server. */
export async function awaitResponse(pending: Promise<Response>): Promise<Response> {
  const end = checkServerWhileLate();
  try {
    const response = await pending;
    if (response.status < 500) markReachable();
    else checkServer();
    return response;
  } catch (error) {
    if (!(error instanceof DOMException)) checkServer();
    throw error;
  } finally {
    end();
  }
}

/** Returns the state of the connection as far as the page knows. It is online on the server and during hydration. */
export function useConnection(): Connection {
  return useSyncExternalStore(watchConnection, readConnection, () => "online");
}

/** Returns the state of the connection at this moment. */
export const readConnection = connection.get;

/** Calls back whenever the connection has changed. Returns a function that stops it. */
export function watchConnection(onChange: () => void): () => void {
  // As long as the document lives, and once each, because it is always the same function.
  addEventListener("online", probeAgain);
  addEventListener("offline", probeAgain);
  return connection.subscribe(onChange);
}
