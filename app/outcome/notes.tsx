import { createContext, use, useEffect, useSyncExternalStore, type ReactNode } from "react";
import { useLocation, useNavigation } from "react-router";
import { createStore } from "../ui/store.ts";
import { showToast } from "../ui/toast/toast.ts";
import { pickOutcomes, consumeNotes, type Message, type Outcome, type ReceivedOutcome } from "./outcome.ts";
import { TOAST, wordToast } from "./toast-words.ts";

const NONE: readonly Message[] = [];
const NotesContext = createContext(NONE);

/** In the browser: the latest notes, and the key of the page that they are for. */
const latest = createStore<{ key: string; notes: readonly Message[] } | undefined>(undefined);

/**
 * Takes the notes that the latest responses have left for a page. The first page shows those that came with its
 * document, and takes none: any other note is for another document, in this tab or another.
 */
function receive(key: string, arrived: readonly Message[]): void {
  const notes = latest.get() ? consumeNotes() : arrived;
  // The same text has the same id, so that it is not shown twice.
  for (const { text, tone } of listToasts(notes)) showToast(text, { tone, id: text });
  if (latest.get()?.key === key && notes.length === 0) return;
  latest.set({ key, notes });
}

type NotesProps = {
  /** The notes that came with the document. */
  arrived: readonly Message[] | undefined;
  children: ReactNode;
};

/** Gives the page the notes of the action before it (see `leaveOutcome`), until the reader moves on. */
export function Notes({ arrived = NONE, children }: NotesProps) {
  const { state } = useNavigation();
  const { key } = useLocation();
  const received = useSyncExternalStore(latest.subscribe, latest.get, () => undefined);
  const notes = received?.key === key ? received.notes : received ? NONE : arrived;
  useEffect(() => {
    if (state === "idle") receive(key, arrived);
  }, [state, key, arrived]);
  return (
    <NotesContext value={notes}>
      <Flashes notes={arrived} />
      {children}
    </NotesContext>
  );
}

/** Returns everything that was said to a part of the page. */
export const useNotes = <Word extends string>(outcome: Outcome<Word>): ReceivedOutcome<Word>[] =>
  pickOutcomes(outcome, use(NotesContext));

/** Returns the last thing that was said to a part of the page, or null if there is none. */
export const useNote = <Word extends string>(outcome: Outcome<Word>): ReceivedOutcome<Word> | null =>
  useNotes(outcome).at(-1) ?? null;

const listToasts = (notes: readonly Message[]) => pickOutcomes(TOAST, notes).flatMap((said) => wordToast(said) ?? []);

/** Shows the text of a toast above the page. For pages without a script. */
function Flashes({ notes }: { notes: readonly Message[] }) {
  return listToasts(notes).map(({ text, tone }) => (
    <output
      key={text}
      className={`hidden border-b border-line bg-surface px-4 py-3 text-center font-strong noscript:block ${tone === "error" ? "text-bad" : ""}`}
    >
      {text}
    </output>
  ));
}
