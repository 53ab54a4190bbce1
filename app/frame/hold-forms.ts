import { giveUp, isAnswered, noteAnswered, PATIENCE_MS } from "../cache/connection.ts";

/** The forms that were sent since the router has shown what came of one, and whether it waits for that. */
const sent = new Set<unknown>();
let isWaiting = false;

/** To be told when the router has sent a form, as it says a moment later, and when it has shown what came of it. */
export function noteSending(isSending: boolean): void {
  isWaiting = isSending;
  if (!isSending) sent.clear();
}

/** Whether a form has been sent and not been answered: sent again it would be told that what worked has failed. */
export const isOnItsWay = (form: unknown): boolean => isWaiting && sent.has(form);

/** Forms whose server has answered: they are sent now. */
const passed = new WeakSet<HTMLFormElement>();
/** Forms that wait for it to answer. A second press adds nothing. */
const held = new Set<HTMLFormElement>();

/**
 * Sends a form once the server has given a sign of life: the router would give up the page, with all that was typed,
 * for one that cannot be had. True while the form has to wait. Calls back where it is not sent.
 */
export function holdForm(form: HTMLFormElement, submitter: HTMLElement | null, onStay: () => void): boolean {
  if (passed.delete(form)) {
    sent.add(form);
    return false;
  }
  if (!held.has(form)) void sendWhenAnswered(form, submitter, onStay);
  return true;
}

async function sendWhenAnswered(form: HTMLFormElement, submitter: HTMLElement | null, onStay: () => void) {
  held.add(form);
  const answers = await isAnswered(AbortSignal.timeout(PATIENCE_MS)).catch(() => false);
  held.delete(form);
  if (!answers) {
    giveUp();
    return onStay();
  }
  noteAnswered();
  passed.add(form);
  form.requestSubmit(submitter?.isConnected ? submitter : null);
  // The browser may have found something to say about a field.
  passed.delete(form);
}
