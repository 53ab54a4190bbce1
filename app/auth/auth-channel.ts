import { AUTH_EVENT_COOKIE, isAuthEvent, type AuthEvent } from "./auth-event.ts";

type Listener = (event: AuthEvent) => void;

const listeners = new Set<Listener>();
let channel: BroadcastChannel | undefined;

/** Calls back with every event of the authentication provider, whichever tab it came to. Returns what ends it. */
export function watchAuthEvents(listener: Listener): () => void {
  openChannel();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Passes on to every tab, this one too, what the last answer has announced (see `announce`), and forgets it. Any tab
 * may come first to an event, since they all share their cookies.
 */
export function passOnAuthEvent(): void {
  const event = takeEvent();
  if (!event) return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  openChannel()?.postMessage(event);
  tell(event);
}

/** Undefined in a browser without channels: its tabs still follow the `user` flag (member-flags.ts). */
function openChannel(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === "undefined") return channel;
  channel = new BroadcastChannel("auth");
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isAuthEvent(data)) tell(data);
  });
  return channel;
}

function takeEvent(): AuthEvent | undefined {
  const prefix = `${AUTH_EVENT_COOKIE}=`;
  const value = document.cookie
    .split("; ")
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length);
  if (value === undefined) return undefined;
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every browser
  document.cookie = `${prefix}; Path=/; Max-Age=0`;
  return isAuthEvent(value) ? value : undefined;
}

function tell(event: AuthEvent): void {
  for (const listener of listeners) listener(event);
}
