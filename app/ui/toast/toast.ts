export type Toast = {
  text: string;
  tone: "plain" | "success" | "error";
  /** A later toast of the same id takes the place of the earlier one. */
  id?: string;
  /** What can be done about it, such as undoing it. */
  action?: { label: string; onClick: () => void };
};

let raised = false;
let waiting: Toast[] = [];
let deliver: ((toast: Toast) => void) | undefined;
let wake = () => {};

/** Raises a toast. The library that shows toasts is only loaded with the first one, which waits for it. */
export function showToast(text: string, options: Partial<Omit<Toast, "text">> = {}) {
  const toast: Toast = { text, tone: "plain", ...options };
  if (deliver) return deliver(toast);
  waiting.push(toast);
  raised = true;
  wake();
}

/** Whether any toast has been raised since the page began. */
export const hasToasts = () => raised;

/** Calls back when the first toast is raised, for as long as the returned function is not called. */
export function watchToasts(onFirst: () => void): () => void {
  wake = onFirst;
  return () => {
    wake = () => {};
  };
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
