import { outcomeCookie } from "../outcome/outcome-cookie.ts";
import { keepCookie, writeCookie } from "../cookies/plain-cookie.ts";
import { leaveSignedOut, type SessionEnd } from "./session-end.ts";
import type { SignInWord } from "./sign-in-note.ts";

/** Whom sign-in-note.ts stands for: its sentences are for the sign-in page alone. */
const SIGN_IN = { kind: "note", to: "sign-in" } as const;
const WORDS: Record<SessionEnd, SignInWord> = { ended: "expired", "signed-out": "signed-out" };

const KEY = "reloadedAt";
const PAUSE_MS = 30_000;
/** Milliseconds that keeping what was typed may take. */
const KEEP_MS = 3000;
/** Milliseconds in which another tab tells why it has signed out. */
const REASON_MS = 1000;
/** In seconds, as for everything that is said to the next page. */
const NOTE_AGE = 60;

/**
 * Keeps what was typed for when the same member comes back, notes why the page is left, and loads it again: only the
 * server can tell where that leads. Once in half a minute: more often would not help either.
 */
export async function leave(end: SessionEnd): Promise<void> {
  if (end === "ended" && !isFirst()) return;
  await Promise.all(Array.from(document.forms).filter(isTyped).map(keepDraft));
  whenAlone(() => {
    const { name, value } = outcomeCookie(SIGN_IN, WORDS[end]);
    keepCookie(writeCookie(name, value, { maxAge: NOTE_AGE }));
    location.reload();
  });
}

/** Leaves a page whose member is gone from the browser. Why is told by the other tab itself, where it can tell. */
export function expectReason(): void {
  setTimeout(() => leaveSignedOut("signed-out"), REASON_MS);
}

/** Loads the document again, whoever is signed in by now. */
export function reloadOnce(): void {
  if (isFirst()) location.reload();
}

function isFirst(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < PAUSE_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch {
    // Without storage nothing would stop a second time.
    return false;
  }
}

/** Those whose page shows a draft say where it is kept. */
const isTyped = (form: HTMLFormElement) =>
  form.dataset["draft"] !== undefined &&
  Array.from(form.elements).some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      field.type !== "hidden" &&
      field.value !== field.defaultValue,
  );

/** The server keeps it in a cookie that scripts cannot read, and only where the session is over indeed. */
async function keepDraft(form: HTMLFormElement): Promise<void> {
  const body = new FormData(form);
  const signal = AbortSignal.timeout(KEEP_MS);
  await fetch(form.dataset["draft"] ?? "", { method: "POST", body, signal }).catch(() => undefined);
}

/** One tab after the other: a page takes all that was said to pages, and each tab says it anew. */
function whenAlone(act: () => void): void {
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return act();
  // Held until this document is gone.
  void locks.request("leave", () => new Promise<never>(act));
}
