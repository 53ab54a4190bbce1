import { createContext, type RouterContextProvider } from "react-router";
import { expiredCookie, storeCookie, listCookies, serializeCookie } from "../cookies/plain-cookie.ts";
import { outcomeCookie } from "./outcome-cookie.ts";

/**
 * What an action says to whatever comes after it, as one of a few words. A note is for the next page, also without a
 * script; an event is for scripts alone. The receiver has the sentences: anyone can set a cookie, and must not be able
 * to show their own sentences as ours.
 */
export type Outcome<Word extends string = string> = {
  readonly kind: "note" | "event";
  /** The receiver. */
  readonly to: string;
  readonly isWord: (word: string) => word is Word;
};

/**
 * A word, and what it is about: an id or a figure, which the receiver looks up, checks, or shows as plain text of a
 * limited length.
 */
export type ReceivedOutcome<Word extends string = string> = { word: Word; about: string };

/** Something said, with its receiver. */
export type Message = { to: string } & ReceivedOutcome;

/** Defines an outcome whose words are the keys of a table, such as that of its sentences. */
export const defineOutcome = <Word extends string>(
  kind: Outcome["kind"],
  to: string,
  table: Readonly<Record<Word, unknown>>,
): Outcome<Word> => ({ kind, to, isWord: (word): word is Word => Object.hasOwn(table, word) });

/** In seconds: long enough for a redirect. */
const MAX_AGE = 60;
/** More than an action ever says. Outcomes beyond that wait, or were set by someone else. */
const MAX_OUTCOMES = 10;

const NAME = /^[a-z]+_[a-z-]+_[\da-f]{1,8}$/;

/** What a request has said so far. The keys make sure that the same thing is said once. */
export const outcomeContext = /* @__PURE__ */ createContext<Map<string, string>>();

/** Says something to whatever comes after this request. It is not secret: scripts read it. */
export function leaveOutcome<Word extends string>(
  context: Readonly<RouterContextProvider>,
  outcome: Outcome<Word>,
  word: NoInfer<Word>,
  about = "",
): void {
  const { name, value } = outcomeCookie(outcome, word, about);
  context
    .get(outcomeContext)
    .set(`${outcome.kind} ${outcome.to} ${value}`, serializeCookie(name, value, { maxAge: MAX_AGE }));
}

/** Returns the notes in a request's cookies, and the `Set-Cookie` values that remove them. */
export const readNotes = (cookies: string): { messages: Message[]; forget: string[] } => collect(cookies, "note_");

/** Returns the `Set-Cookie` values that remove an event that has come to nothing. */
export const expiredEventCookies = <Word extends string>(
  { to }: Outcome<Word>,
  word: NoInfer<Word>,
  cookies: string,
): string[] =>
  listOutcomes(cookies, `event_${to}_`).flatMap(([name, value]) => (value === word ? [expiredCookie(name)] : []));

/** Takes the notes for the page that is shown. */
export const consumeNotes = (): Message[] => take("note_");

/** Returns the names of the cookies in a request that hold events. */
export const listEvents = (cookies: string): string[] => listOutcomes(cookies, "event_").map(([name]) => name);

/** Takes the events for scripts, each once: the first tab to ask gets it. With `names`, takes only these. */
export const consumeEvents = <Word extends string>(
  outcome: Outcome<Word>,
  names?: readonly string[],
): ReceivedOutcome<Word>[] => pickOutcomes(outcome, take(`event_${outcome.to}_`, names));

/** Picks the messages for a receiver, if it knows their words. */
export const pickOutcomes = <Word extends string>(
  { to, isWord }: Outcome<Word>,
  messages: readonly Message[],
): ReceivedOutcome<Word>[] =>
  messages.flatMap((message) => {
    const { word, about } = message;
    return message.to === to && isWord(word) ? [{ word, about }] : [];
  });

function take(prefix: string, names?: readonly string[]): Message[] {
  const { messages, forget } = collect(document.cookie, prefix, names);
  for (const line of forget) storeCookie(line);
  return messages;
}

const listOutcomes = (cookies: string, prefix: string) =>
  listCookies(cookies).filter(([name]) => name.startsWith(prefix) && NAME.test(name));

function collect(cookies: string, prefix: string, names?: readonly string[]) {
  const found = listOutcomes(cookies, prefix)
    .filter(([name]) => !names || names.includes(name))
    .slice(0, MAX_OUTCOMES);
  const said = new Map(
    found.map(([name, value]) => [name.slice(0, name.lastIndexOf("_") + 1) + value, readMessage(name, value)]),
  );
  return {
    messages: Array.from(said.values()).flatMap((each) => each ?? []),
    forget: found.map(([name]) => expiredCookie(name)),
  };
}

function readMessage(name: string, value: string): Message | undefined {
  const [, to = ""] = name.split("_");
  const [word = "", about = ""] = value.split(/\.(.*)/s);
  try {
    return { to, word, about: decodeURIComponent(about) };
  } catch {
    return undefined;
  }
}
