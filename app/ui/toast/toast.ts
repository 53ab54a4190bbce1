import { createStore } from "../store.ts";

export type Toast = {
  text: string;
  tone: "plain" | "success" | "error";
  /** A later toast with the same id replaces the earlier one. */
  id?: string;
};

/** A toast in the list of messages, with an id to tell it from the others. */
type Raised = Toast & { id: string };

/** How many toasts to keep: more than anybody looks back at. */
const MAX_TOASTS = 20;

/** The toasts raised since the document loaded, newest first. On the page, each shows for only a few seconds. */
export const raised = createStore<readonly Raised[]>([]);
let waiting: Toast[] = [];
let deliver: ((toast: Toast) => void) | undefined;
/** Numbers the toasts without an id, because the same text may be raised twice. */
let count = 0;

/** Raises a toast. The library that shows toasts loads with the first one, which waits for it. */
export function showToast(text: string, options: Partial<Omit<Toast, "text">> = {}) {
  const toast: Toast = { text, tone: "plain", ...options };
  if (deliver) deliver(toast);
  else waiting.push(toast);
  const { id = `toast ${++count}` } = toast;
  raised.set([{ ...toast, id }, ...raised.get().filter((each) => each.id !== id)].slice(0, MAX_TOASTS));
}

/** Passes every toast to `receive`, first those that waited, until the returned function is called. */
export function receiveToasts(receive: (toast: Toast) => void): () => void {
  deliver = receive;
  waiting.forEach(receive);
  waiting = [];
  return () => {
    deliver = undefined;
  };
}
