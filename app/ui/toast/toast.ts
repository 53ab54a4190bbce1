export type Toast = {
  text: string;
  tone: "plain" | "success" | "error";
  /** A later toast of the same id takes the place of the earlier one. */
  id?: string;
};

/** One that can be told from the others. */
type Raised = Toast & { id: string };

/** More than anybody looks back at. */
const MOST = 20;

let raised: readonly Raised[] = [];
let waiting: Toast[] = [];
let deliver: ((toast: Toast) => void) | undefined;
const watchers = new Set<() => void>();
/** What may be said twice has an id of its own each time. */
let count = 0;

/** Raises a toast. The library that shows toasts is only loaded with the first one, which waits for it. */
export function showToast(text: string, options: Partial<Omit<Toast, "text">> = {}) {
  const toast: Toast = { text, tone: "plain", ...options };
  if (deliver) deliver(toast);
  else waiting.push(toast);
  const { id = `toast ${++count}` } = toast;
  raised = [{ ...toast, id }, ...raised.filter((each) => each.id !== id)].slice(0, MOST);
  for (const watcher of watchers) watcher();
}

/** The toasts that were raised since the document began, the last one first: each shows for a few seconds alone. */
export const listRaised = (): readonly Raised[] => raised;

/** Calls back with each toast that is raised. Returns what ends it. */
export function watchToasts(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Hands every toast over, first those that waited, until the returned function is called. */
export function receiveToasts(receive: (toast: Toast) => void): () => void {
  deliver = receive;
  waiting.forEach(receive);
  waiting = [];
  return () => {
    deliver = undefined;
  };
}
