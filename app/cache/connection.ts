import { useSyncExternalStore } from "react";

/** Whether answers come: the browser says that it is offline, or the server has not answered in time. */
export type Connection = "online" | "offline" | "unreachable";

/** Milliseconds in which a server that works has given a sign of life. */
export const PATIENCE_MS = 1250;
/** The same where the browser says at once that there is nobody: the page may just be on its way out. */
const REFUSED_MS = 100;
/** About how often a server that does not answer is asked again: not all who wait come back in one moment. */
const REPEAT_MS = 2000;
/** Milliseconds after which an answer is so late that the server is looked after. */
const LATE_MS = 1000;

let unreachable = false;
let asking: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** The server has given a sign of life, whichever it was. */
export function noteAnswered(): void {
  stopAsking();
  settle(true);
}

/** Asks the server for a sign of life, and goes on until there is one. */
export function checkServer(): void {
  if (!asking && !unreachable && navigator.onLine) void ask();
}

async function ask() {
  const { signal } = (asking = new AbortController());
  timer = setTimeout(giveUp, PATIENCE_MS);
  try {
    if (await isAnswered(signal)) noteAnswered();
  } catch {
    if (signal.aborted || unreachable) return;
    clearTimeout(timer);
    timer = setTimeout(giveUp, REFUSED_MS);
  }
}

/** Whether there is anybody: a balancer's own word is that there is nobody behind it. */
export const isAnswered = async (signal: AbortSignal): Promise<boolean> =>
  (await fetch("/healthz", { method: "HEAD", cache: "no-store", signal })).status < 500;

/** An answer that comes late counts all the same, until the server is asked again. */
export function giveUp(): void {
  clearTimeout(timer);
  timer = setTimeout(askAgain, REPEAT_MS * (0.5 + Math.random()));
  settle(false);
}

function askAgain() {
  stopAsking();
  if (navigator.onLine) void ask();
  else giveUp();
}

function stopAsking() {
  clearTimeout(timer);
  asking?.abort();
  asking = undefined;
}

function settle(answers: boolean) {
  if (unreachable !== answers) return;
  unreachable = !answers;
  for (const listener of listeners) listener();
}

/** Waits for an answer, and has the server looked after for as long as it does not come. Returns what ends that. */
export function expectAnswer(): () => void {
  const late = setInterval(checkServer, LATE_MS);
  return () => clearInterval(late);
}

/** Passes on what a request is answered, and what that says of the server. */
export async function awaitAnswer(answer: Promise<Response>): Promise<Response> {
  const end = expectAnswer();
  try {
    const response = await answer;
    if (response.status < 500) noteAnswered();
    else checkServer();
    return response;
  } catch (error) {
    if (!(error instanceof DOMException)) checkServer();
    throw error;
  } finally {
    end();
  }
}

/** The connection as far as the page can tell. Online on the server, and while the page comes to life. */
export function useConnection(): Connection {
  return useSyncExternalStore(watchConnection, readConnection, () => "online");
}

/** The same, at this moment. */
export function readConnection(): Connection {
  if (typeof document === "undefined") return "online";
  if (!navigator.onLine) return "offline";
  return unreachable ? "unreachable" : "online";
}

/** Calls back whenever it may have changed. Returns what ends it. */
export function watchConnection(onChange: () => void): () => void {
  listeners.add(onChange);
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    listeners.delete(onChange);
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}
