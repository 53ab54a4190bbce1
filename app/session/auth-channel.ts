import { AUTH_EVENT, isAuthEvent, type AuthEvent } from "../api/auth-event.ts";
import { takeEvents } from "../outcome/outcome.ts";

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
 * Passes on to every tab, this one too, what the last answers have said of the session. Any tab may come first to an
 * event, since they all share their cookies.
 */
export function passOnAuthEvents(): void {
  for (const { word } of takeEvents(AUTH_EVENT)) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    openChannel()?.postMessage(word);
    tell(word);
  }
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

function tell(event: AuthEvent): void {
  for (const listener of listeners) listener(event);
}
