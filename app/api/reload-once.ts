const KEY = "reloadedAt";
const PAUSE_MS = 30_000;

/** Loads the document again, but not again and again: twice within half a minute would not help either. */
export function reloadOnce(): void {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < PAUSE_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage nothing would stop a second time.
    return;
  }
  location.reload();
}
