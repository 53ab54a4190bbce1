import {
  CHECK_TIMEOUT_MS,
  isServerReachable,
  markReachable,
  markUnreachable,
  readConnection,
} from "../cache/connection.ts";

/** How long a form waits for an answer, in milliseconds. On a slow connection, one takes seconds. */
const PATIENCE_MS = 15_000;

/** The forms sent since the router last showed a result, and whether it is waiting for one. */
const sent = new Set<unknown>();
let isWaiting = false;

/** Notes that the router has sent a form, which it reports a moment later, or that it has shown the result. */
export function setSubmitting(isSending: boolean): void {
  isWaiting = isSending;
  if (!isSending) sent.clear();
}

/**
 * Returns whether a form has been sent and not been answered. A second submission would report that what worked has
 * failed.
 */
export const isInFlight = (form: unknown): boolean => isWaiting && sent.has(form);

/** Forms whose server has answered the check. Their next submission goes through. */
const passed = new WeakSet<HTMLFormElement>();
/** Forms that wait for the check. A second press changes nothing. */
const held = new Set<HTMLFormElement>();

/**
 * Sends a form once the server has shown that it can be reached. Otherwise the router would replace the page, with all
 * that was typed, by one that cannot be loaded. Returns true while the form has to wait. Calls `onBlocked` if it is not
 * sent.
 */
export function deferSubmission(form: HTMLFormElement, submitter: HTMLElement | null, onBlocked: () => void): boolean {
  if (passed.delete(form)) {
    sent.add(form);
    return false;
  }
  if (held.has(form)) return true;
  if (readConnection() === "online") void submitWhenReachable(form, submitter, onBlocked);
  else onBlocked();
  return true;
}

async function submitWhenReachable(form: HTMLFormElement, submitter: HTMLElement | null, onBlocked: () => void) {
  held.add(form);
  const late = setTimeout(markUnreachable, CHECK_TIMEOUT_MS);
  const answers = await isServerReachable(AbortSignal.timeout(PATIENCE_MS)).catch(() => false);
  clearTimeout(late);
  held.delete(form);
  if (!answers) {
    markUnreachable();
    return onBlocked();
  }
  markReachable();
  passed.add(form);
  form.requestSubmit(submitter?.isConnected ? submitter : null);
  // The browser may have found a field invalid instead of sending the form.
  passed.delete(form);
}
