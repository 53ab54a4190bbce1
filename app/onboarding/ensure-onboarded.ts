import { ApiError } from "../api/api-error.ts";
import { apiContext, type PageContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { getPageReads, isRefusedToken, type PageReads } from "../page/page-reads.ts";
import { signOut } from "../page/member-page.ts";
import { SIGN_IN_NOTE } from "../session/sign-in-note.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import type { Session } from "../session/session.ts";
import { isOnboarded, onboardedQuery, userQuery } from "../member/reads.ts";
import { statsQuery } from "../points/reads.ts";

const running = new WeakMap<PageContext, Promise<void>>();

/**
 * Onboards the member of a dashboard request, if they are not onboarded yet (product specification, section 4).
 * The page and its shell both wait for it, but it runs once per request. Throws a redirect to sign-in if onboarding is
 * impossible or fails. Throws an ApiError if the access token is refused, or if the member cannot be read afterwards.
 */
export function ensureOnboarded(context: PageContext, session: Session): Promise<void> {
  const known = running.get(context);
  if (known) return known;
  const run = onboard(context, session);
  running.set(context, run);
  return run;
}

async function onboard(context: PageContext, { userId }: Session): Promise<void> {
  const reads = getPageReads(context);
  if (await checkOnboarded(context, reads.get, reads.read)) return;
  try {
    // Only the browser's own cookie can tell who the member is.
    if (!userId) throw new ApiError("No stored user", "VALIDATION_ERROR", 400);
    await context.get(apiContext).users.onboard(userId);
  } catch (error) {
    logFailure(context, error, "error onboarding user");
    // If the session stayed, sign-in would lead straight back here.
    leaveOutcome(context, SIGN_IN_NOTE, "onboarding");
    throw await signOut({ context });
  }
  await checkOnboarded(context, reads.refresh, reads.read);
  await refreshMember(reads);
}

/**
 * Checks whether the member is onboarded. If the check fails, they count as onboarded: the page has everything else,
 * and the next visit checks again.
 */
async function checkOnboarded(context: PageContext, ask: PageReads["get"], read: PageReads["read"]): Promise<boolean> {
  try {
    return isOnboarded(await ask(onboardedQuery(read)));
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    logFailure(context, error, "Whether the member is onboarded is not known");
    return true;
  }
}

/** Fetches user and stats together. If that fails, fetches only the user. */
async function refreshMember({ read, refresh }: PageReads): Promise<void> {
  try {
    await Promise.all([refresh(userQuery(read)), refresh(statsQuery(read))]);
  } catch {
    await refresh(userQuery(read));
  }
}
