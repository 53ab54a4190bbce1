import type * as Leaving from "./leave.ts";
import { openTopic } from "./tabs.ts";

/**
 * Why a page is left. "ended": the session is over, or was ended elsewhere. "signed-out": its member signed out in
 * another tab.
 */
export type SessionEnd = "ended" | "signed-out";

/** The header that says that a browser has no session any more, because another tab signed out. */
export const SIGNED_OUT_HEADER = "X-Nodebeat-Signed-Out";

/** Returns why a page whose session is over gets no stream. */
export const readSessionEnd = ({ headers }: Pick<Response, "headers">): SessionEnd =>
  headers.has(SIGNED_OUT_HEADER) ? "signed-out" : "ended";

/** How long a tab may wait for the response when it signs out, in milliseconds. */
const SIGN_OUT_MS = 60_000;

const signOuts = openTopic("sign-out", (value) => value === true);

let isOver = false;
/** When another tab, and this one, was about to sign out. */
let signOutAt = -Infinity;
let ownSignOutAt = -Infinity;

/**
 * Listens for another tab that is about to sign out: the session may end here before that tab gets its response.
 * Returns a function that stops it.
 */
export const watchSignOuts = (): (() => void) => signOuts.follow(() => (signOutAt = performance.now()));

/**
 * Marks this page as about to sign out. The response leads it elsewhere, and the other tabs know why their sessions
 * end.
 */
export function beginSignOut(): void {
  signOuts.broadcast(true);
  ownSignOutAt = performance.now();
  // Runs if no response came and the member went back to the page as it was.
  addEventListener("pageshow", () => (ownSignOutAt = -Infinity), { once: true });
}

/** Returns whether it is so recent that the response may still come. Nothing tells a page that its load was stopped. */
const isPending = (at: number) => performance.now() - at < SIGN_OUT_MS;

/** Returns whether the page is about to be left, so that further requests are pointless. */
export const isSessionOver = (): boolean => isOver || isPending(ownSignOutAt);

/** Loads the code that leaves a page, and calls `act` with it. Reloads the page if the code cannot be loaded. */
export const withLeaveModule = (act: (leaving: typeof Leaving) => unknown): void =>
  void import("./leave.ts").then(act, () => location.reload());

/** Leaves a page whose session is over. The member signs in again on the next page, which says why. */
export function leaveSignedOut(end: SessionEnd): void {
  if (isSessionOver()) return;
  isOver = true;
  const why = isPending(signOutAt) ? "signed-out" : end;
  withLeaveModule(({ leave }) => leave(why));
}
