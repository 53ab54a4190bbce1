import { giveUp, isAnswered, noteAnswered, PATIENCE_MS } from "../cache/connection.ts";

/** Forms whose server has answered: they are sent now. */
const passed = new WeakSet<HTMLFormElement>();
/** Forms that wait for it to answer. A second press adds nothing. */
const held = new WeakSet<HTMLFormElement>();

/**
 * Sends a form once the server has given a sign of life: the router would give up the page, with all that was typed, for
 * one that cannot be had. True while the form has to wait. Calls back where it is not sent.
 */
export function holdForm({ target, submitter }: SubmitEvent, onStay: () => void): boolean {
  if (!(target instanceof HTMLFormElement) || passed.delete(target)) return false;
  if (!held.has(target)) void sendWhenAnswered(target, submitter, onStay);
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
