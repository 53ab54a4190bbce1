import { ApiError } from "../api/api-error.ts";
import { apiContext, type PageContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { getPageReads, isRefusedToken, type PageReads } from "../page/page-reads.ts";
import { signOut } from "../page/member-page.ts";
import { SIGN_IN_NOTE } from "../session/sign-in-note.ts";
import { say } from "../outcome/outcome.ts";
import type { Session } from "../session/session.ts";
import { isOnboarded, onboardedQuery, userQuery } from "../member/reads.ts";
import { statsQuery } from "../points/reads.ts";

const running = new WeakMap<PageContext, Promise<void>>();

/**
 * Onboards the member of a dashboard request who is not onboarded yet (product specification, section 4).
 * The page and the shell around it both wait for it; it runs once a request. Throws the redirect to sign-in when
 * onboarding is impossible or fails, and the ApiError of a refused access token or of
 * reading the member after it.
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
    // The browser's own cookie says who they are, or does not.
    if (!userId) throw new ApiError("No stored user", "VALIDATION_ERROR", 400);
    await context.get(apiContext).users.onboard(userId);
  } catch (error) {
    logFailure(context, error, "error onboarding user");
    // With the session left in place, sign-in would lead straight back here.
    say(context, SIGN_IN_NOTE, "onboarding");
    throw await signOut({ context });
  }
  await checkOnboarded(context, reads.refresh, reads.read);
  await refreshMember(reads);
}

/** A member counts as onboarded where the check fails: the page has everything else, and the next visit asks again. */
async function checkOnboarded(context: PageContext, ask: PageReads["get"], read: PageReads["read"]): Promise<boolean> {
  try {
    return isOnboarded(await ask(onboardedQuery(read)));
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    logFailure(context, error, "Whether the member is onboarded is not known");
    return true;
  }
}

/** Fetches user and stats together; if that fails, the user only. */
async function refreshMember({ read, refresh }: PageReads): Promise<void> {
  try {
    await Promise.all([refresh(userQuery(read)), refresh(statsQuery(read))]);
  } catch {
    await refresh(userQuery(read));
  }
}
