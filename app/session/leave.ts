import { outcomeCookie } from "../outcome/outcome-cookie.ts";
import { keepCookie, writeCookie } from "../cookies/plain-cookie.ts";
import { leaveSignedOut, type SessionEnd } from "./session-end.ts";
import type { SignInWord } from "./sign-in-note.ts";

/** The page that the notes of sign-in-note.ts are for. */
const SIGN_IN = { kind: "note", to: "sign-in" } as const;
const WORDS: Record<SessionEnd, SignInWord> = { ended: "expired", "signed-out": "signed-out" };

const KEY = "reloadedAt";
const PAUSE_MS = 30_000;
/** The same where the page may show another member. Two tabs that reload in turns do so no faster than this. */
const SHORT_PAUSE_MS = 3000;
/** Milliseconds that keeping what was typed may take. */
const KEEP_MS = 3000;
/** Milliseconds in which another tab tells why it has signed out. */
const REASON_MS = 1000;
/** In seconds, as for everything that is said to the next page. */
const NOTE_AGE = 60;

/**
 * Keeps what was typed for when the same member comes back, notes why the page is left, and loads it again: only the
 * server can tell where that leads. At most once in half a minute: more often would not help either.
 */
export async function leave(end: SessionEnd): Promise<void> {
  if (end === "ended") await pause(PAUSE_MS);
  await Promise.all(Array.from(gatherTyped(), keepDraft));
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

/** Loads the document again, whoever is signed in by now. Until then nobody sees what may be another member's. */
export async function reloadForOther(): Promise<void> {
  document.body.style.display = "none";
  await pause(SHORT_PAUSE_MS);
  location.reload();
}

/** Waits until so much time has passed since the document was last loaded again from here. */
async function pause(milliseconds: number): Promise<void> {
  const rest = milliseconds - sinceLast();
  if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  try {
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage there is a pause each time.
  }
}

function sinceLast(): number {
  try {
    const since = Date.now() - Number(sessionStorage.getItem(KEY));
    // The clock was put back since.
    return since < 0 ? Infinity : since;
  } catch {
    return 0;
  }
}

/** What was typed into forms, by where it is kept: at once, since each draft takes the place of the one before. */
function gatherTyped(): Map<string, FormData> {
  const typed = new Map<string, FormData>();
  for (const form of document.forms) {
    // Those whose page shows a draft say where it is kept.
    const { draft } = form.dataset;
    if (draft === undefined || !isTyped(form)) continue;
    const body = typed.get(draft) ?? new FormData();
    for (const [name, value] of new FormData(form)) body.append(name, value);
    typed.set(draft, body);
  }
  return typed;
}

/** Also before the session ended the last time: what a form shows of that is still not saved. */
const isTyped = (form: HTMLFormElement) =>
  form.querySelector("[data-restored]") !== null ||
  Array.from(form.elements).some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      // A box has the same value whether it is ticked or not.
      !["hidden", "checkbox"].includes(field.type) &&
      field.value !== field.defaultValue,
  );

/** The server keeps it in a cookie that scripts cannot read, and only where the session is over indeed. */
async function keepDraft([address, body]: [address: string, body: FormData]): Promise<void> {
  const signal = AbortSignal.timeout(KEEP_MS);
  await fetch(address, { method: "POST", body, signal }).catch(() => undefined);
}

/** One tab after the other: a page takes all that was said to pages, and each tab says it anew. */
function whenAlone(act: () => void): void {
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return act();
  // Held until this document is gone. Refused to who has come to block cookies since.
  locks.request("leave", () => new Promise<never>(act)).catch(act);
}
