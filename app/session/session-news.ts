import { AUTH_EVENT, isAuthEvent, type AuthEvent } from "../api/auth-event.ts";
import { takeEvents } from "../outcome/outcome.ts";
import { openTopic } from "./tabs.ts";

type Listener = (event: AuthEvent) => void;

const tabs = openTopic("auth", isAuthEvent);
const here = new Set<Listener>();

/** Calls back with every event of the authentication provider, whichever tab it came to. Returns what ends it. */
export function followSession(listener: Listener): () => void {
  const end = tabs.follow(listener);
  here.add(listener);
  return () => {
    end();
    here.delete(listener);
  };
}

/**
 * Passes on to every tab, this one too, what the last answers have said of the session. Any tab may come first to an
 * event, since they all share their cookies.
 */
export function passOnSessionNews(): void {
  for (const { word } of takeEvents(AUTH_EVENT)) {
    tabs.tell(word);
    for (const listener of here) listener(word);
  }
}
