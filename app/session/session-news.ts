import { AUTH_EVENT, isAuthEvent, type AuthEvent } from "../api/auth-event.ts";
import { takeEvents } from "../outcome/outcome.ts";
import { openTopic } from "./tabs.ts";

/** An event, and what brought it about, where that makes a difference. */
type News = { event: AuthEvent; about: string };
type Listener = (event: AuthEvent, about: string) => void;

const isNews = (value: unknown): value is News =>
  typeof value === "object" && value !== null && "event" in value && isAuthEvent(value.event) && "about" in value;

const tabs = openTopic("auth", isNews);
const here = new Set<Listener>();

/** Calls back with every event of the authentication provider, whichever tab it came to. Returns what ends it. */
export function followSession(listener: Listener): () => void {
  const end = tabs.follow(({ event, about }) => listener(event, about));
  here.add(listener);
  return () => {
    end();
    here.delete(listener);
  };
}

/**
 * Passes on to every tab, this one too, what the last answers have said of the session. Any tab may come first to an
 * event, since they all share their cookies. With `names`, none but these events.
 */
export function passOnSessionNews(names?: readonly string[]): void {
  for (const { word: event, about } of takeEvents(AUTH_EVENT, names)) {
    tabs.tell({ event, about });
    for (const listener of here) listener(event, about);
  }
}
