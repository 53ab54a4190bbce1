import { AUTH_EVENT, isAuthEvent, type AuthEvent } from "../api/auth-event.ts";
import { consumeEvents } from "../outcome/outcome.ts";
import { openTopic } from "./tabs.ts";

/** An event, and its cause where that makes a difference. */
type News = { event: AuthEvent; about: string };
type Listener = (event: AuthEvent, about: string) => void;

const isNews = (value: unknown): value is News =>
  typeof value === "object" && value !== null && "event" in value && isAuthEvent(value.event) && "about" in value;

const tabs = openTopic("auth", isNews);
const here = new Set<Listener>();

/**
 * Calls back with every event of the authentication provider, whichever tab received it. Returns a function that stops
 * it.
 */
export function watchSession(listener: Listener): () => void {
  const end = tabs.follow(({ event, about }) => listener(event, about));
  here.add(listener);
  return () => {
    end();
    here.delete(listener);
  };
}

/**
 * Passes on to every tab, including this one, what the latest responses said about the session. Any tab may be the
 * first to see an event, because they all share their cookies. With `names`, passes on only these events.
 */
export function relaySessionEvents(names?: readonly string[]): void {
  for (const { word: event, about } of consumeEvents(AUTH_EVENT, names)) {
    tabs.broadcast({ event, about });
    for (const listener of here) listener(event, about);
  }
}
