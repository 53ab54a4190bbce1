import type * as Leaving from "./leave.ts";
import { openTopic } from "./tabs.ts";

/** Why a page is left: the session was ended somewhere else or is over, or its member has signed out in another tab. */
export type SessionEnd = "ended" | "signed-out";

/** The header by which the server says that a browser has no session any more: it was signed out in another tab. */
export const SIGNED_OUT_HERE = "X-Nodebeat-Signed-Out";

/** Why there is no stream for a page whose session is over. */
export const findEnd = ({ headers }: Pick<Response, "headers">): SessionEnd =>
  headers.has(SIGNED_OUT_HERE) ? "signed-out" : "ended";

/** Milliseconds in which a tab that signs out is answered. */
const SIGN_OUT_MS = 60_000;

const signOuts = openTopic("sign-out", (value) => value === true);

let isOver = false;
let signOutAt = -Infinity;

/**
 * Listens for another tab that is about to sign out: the session may end here before that is answered. Returns what
 * ends it.
 */
export const expectSignOut = (): (() => void) => signOuts.follow(() => (signOutAt = performance.now()));

/** This page is about to sign out: it is led elsewhere by that, and the other tabs know why their sessions end. */
export function beginSignOut(): void {
  signOuts.tell(true);
  isOver = true;
  // Where no answer came, and its reader went back to the page as it was.
  addEventListener("pageshow", () => (isOver = false), { once: true });
}

/** Whether the page is about to be left, so that nobody need be asked any more. */
export const isSessionOver = (): boolean => isOver;

/** Has what leaves a page do something, once that is loaded. Where it cannot be had, the page is loaded again. */
export const withLeaving = (act: (leaving: typeof Leaving) => unknown): void =>
  void import("./leave.ts").then(act, () => location.reload());

/** Leaves a page whose session is over for where its member signs in again, which says why. */
export function leaveSignedOut(end: SessionEnd): void {
  if (isOver) return;
  isOver = true;
  const isSignOut = performance.now() - signOutAt < SIGN_OUT_MS;
  withLeaving(({ leave }) => leave(isSignOut ? "signed-out" : end));
}
