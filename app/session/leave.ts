import { MEMBER_HEADER } from "../cache/browser-read.ts";
import { outcomeCookie } from "../outcome/outcome-cookie.ts";
import { storeCookie, serializeCookie } from "../cookies/plain-cookie.ts";
import { leaveSignedOut, type SessionEnd } from "./session-end.ts";
import type { SignInWord } from "./sign-in-note.ts";

/** The page that shows the notes of sign-in-note.ts. */
const SIGN_IN = { kind: "note", to: "sign-in" } as const;
const WORDS: Record<SessionEnd, SignInWord> = { ended: "expired", "signed-out": "signed-out" };

const KEY = "reloadedAt";
const PAUSE_MS = 30_000;
/**
 * The minimum time between reloads, in milliseconds, if the page may show another member. It slows down two tabs that
 * reload in turns.
 */
const SHORT_PAUSE_MS = 3000;
/** How long it may take to keep what was typed, in milliseconds. */
const DRAFT_TIMEOUT_MS = 3000;
/** How long to wait for another tab to say why it has signed out, in milliseconds. */
const REASON_MS = 1000;
/** How long to wait for other tabs to leave, in milliseconds: one may never get there. */
const LOCK_TIMEOUT_MS = 5000;
/** In seconds, as for every note to the next page. */
const NOTE_AGE = 60;

/**
 * Keeps what was typed for when the same member comes back, notes why the page is left, and reloads it: only the server
 * can tell where that leads. When a session has ended, it reloads at most once every 30 seconds, because more often
 * would not help.
 */
export async function leave(end: SessionEnd): Promise<void> {
  if (end === "ended") await pause(PAUSE_MS);
  await Promise.all(Array.from(collectDrafts(), sendDraft));
  withTabLock(() => {
    const { name, value } = outcomeCookie(SIGN_IN, WORDS[end]);
    storeCookie(serializeCookie(name, value, { maxAge: NOTE_AGE }));
    location.reload();
  });
}

/**
 * Leaves a member's page, because another tab has signed out, or has signed somebody in. In the second case only the
 * server knows whose page this is. In the first, waits a moment, because the other tab says why if it can.
 */
export function followMember(isSignedIn: boolean, member: string): void {
  if (isSignedIn) void reloadForOther();
  else setTimeout(() => void leaveIfGone(member), REASON_MS);
}

/**
 * Leaves only if the server says that the session is over: the other tab may show a visitor's page from before the
 * member signed in. Asks for their events, because the response to that is no error in the browser's console.
 */
async function leaveIfGone(member: string) {
  const response = await fetch("/live", { headers: { [MEMBER_HEADER]: member } }).catch(() => undefined);
  void response?.body?.cancel();
  if (response?.status === 204) leaveSignedOut("signed-out");
}

/**
 * Reloads the document for whoever is signed in by now. Until then, nobody sees a page that may be another member's.
 */
async function reloadForOther(): Promise<void> {
  document.body.style.display = "none";
  await pause(SHORT_PAUSE_MS);
  location.reload();
}

/** Waits until this much time has passed since the document was last reloaded from here. */
async function pause(milliseconds: number): Promise<void> {
  const rest = milliseconds - sinceLast();
  if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  try {
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage, every reload waits.
  }
}

function sinceLast(): number {
  try {
    const since = Date.now() - Number(sessionStorage.getItem(KEY));
    // The clock has been set back since.
    return since < 0 ? Infinity : since;
  } catch {
    return 0;
  }
}

/**
 * Collects what was typed into forms, by the address that keeps it. Forms with the same address are sent together,
 * because each draft replaces the previous one.
 */
function collectDrafts(): Map<string, FormData> {
  const typed = new Map<string, FormData>();
  for (const form of document.forms) {
    // Forms whose page can show a draft say which address keeps it.
    const { draft } = form.dataset;
    if (draft === undefined || !isTyped(form)) continue;
    const body = typed.get(draft) ?? new FormData();
    for (const [name, value] of new FormData(form)) body.append(name, value);
    typed.set(draft, body);
  }
  return typed;
}

/** Returns whether a form contains typed text. This includes a restored draft, which is still not saved. */
const isTyped = (form: HTMLFormElement) =>
  form.querySelector("[data-restored]") !== null ||
  Array.from(form.elements).some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      // A checkbox has the same value whether it is ticked or not.
      !["hidden", "checkbox"].includes(field.type) &&
      field.value !== field.defaultValue,
  );

/**
 * Sends a draft to the server, which keeps it in a cookie that scripts cannot read, and only if the session is really
 * over.
 */
async function sendDraft([address, body]: [address: string, body: FormData]): Promise<void> {
  const signal = AbortSignal.timeout(DRAFT_TIMEOUT_MS);
  await fetch(address, { method: "POST", body, signal }).catch(() => undefined);
}

/** Lets one tab act at a time. The next page takes all notes, so each tab has to write its own. */
function withTabLock(act: () => void): void {
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return act();
  const signal = AbortSignal.timeout(LOCK_TIMEOUT_MS);
  // Held until this document is gone. Rejected after the time-out, or if cookies have been blocked since.
  locks.request("leave", { signal }, () => new Promise<never>(act)).catch(act);
}
