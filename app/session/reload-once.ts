import { showToast } from "../ui/toast/toast.ts";

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

/**
 * Leaves a page whose session is over, since only the server can tell where that leads. What somebody has typed would
 * be lost by it: then the page stays, and its form keeps that when it is sent (takeDraft).
 */
export function leaveSignedOut(): void {
  if (!hasTyped()) return reloadOnce();
  showToast("Your session has ended. What you have typed is kept: send it, and sign in again.", { id: "signed-out" });
}

const hasTyped = () =>
  Array.from(document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("form input, form textarea")).some(
    ({ type, value, defaultValue }) => type !== "hidden" && value !== defaultValue,
  );
