/** Why a page is left: the session was ended somewhere else or is over, or its member has signed out in another tab. */
export type SessionEnd = "ended" | "signed-out";

/** With what the server says that a browser has no session any more: it was signed out in another tab. */
export const SIGNED_OUT_HERE: Record<string, string> = { "X-Nodebeat-Signed-Out": "1" };

/** Why there is no stream for a page whose session is over. */
export const findEnd = ({ headers }: Pick<Response, "headers">): SessionEnd =>
  Object.entries(SIGNED_OUT_HERE).every(([name, value]) => headers.get(name) === value) ? "signed-out" : "ended";

let isOver = false;

/** Whether the page is about to be left, so that nobody need be asked any more. */
export const isSessionOver = (): boolean => isOver;

/** What leaves a page, loaded once that is needed. */
export const loadLeaving = () => import("./leave.ts");

/** Leaves a page whose session is over for where its member signs in again, which says why. */
export function leaveSignedOut(end: SessionEnd): void {
  if (isOver) return;
  isOver = true;
  loadLeaving().then(
    ({ leave }) => leave(end),
    () => location.reload(),
  );
}
