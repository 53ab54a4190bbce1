import { useEffect } from "react";
import { data, matchPath, Outlet, type ShouldRevalidateFunctionArgs } from "react-router";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { logContext, sessionContext, type PageContext } from "../page/context.ts";
import { dehydrateReads, getPageReads, isRefusedToken, settleReads } from "../page/page-reads.ts";
import { areFresh, getBrowserQueryClient } from "../cache/query-client.ts";
import { QueryProvider } from "../cache/query-provider.tsx";
import { relaySessionEvents } from "../session/session-events.ts";
import { isSessionOver, leaveSignedOut, withLeaveModule } from "../session/session-end.ts";
import { AUTH_EVENT, EXPIRED } from "../api/auth-event.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { FollowAsVisitor } from "../session/follow-session.tsx";
import { dropOthersDraft } from "../page/draft.ts";
import { forgetMember, watchMember } from "../session/member-flags.ts";
import { HOME, endExpiredSession } from "../page/member-page.ts";
import type { Session } from "../session/session.ts";
import { readLegalFlags, type LegalFlags } from "../legal/legal-flags.ts";
import { legalFlagCookies, legalReads } from "../legal/reads.ts";
import { machineIdReads } from "../machine-id/reads.ts";
import { isOnboarded, onboardedQuery } from "../member/reads.ts";
import { ensureOnboarded } from "../onboarding/ensure-onboarded.ts";
import { readWalletCookie } from "../wallet/wallet-cookie.ts";
import type { Route } from "./+types/shell.route";
import { AppShell } from "./app-shell.tsx";
import { MemberShell } from "./member-shell.tsx";
import { memberReads } from "./member-reads.ts";
import { findPage } from "./navigation.ts";
import { readPreferences } from "../page/preferences.ts";

/** Loads what is known for the shell. The page itself decides whether it may be seen. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { sidebarOpen } = readPreferences(request);
  const { session, cookie } = context.get(sessionContext);
  const visitor = { sidebarOpen, member: null, reads: null, legal: null, wallet: null };
  if (!session) return visitor;
  try {
    const member = session.userId ?? "";
    const flags = readLegalFlags(request, member);
    const reads = await readMember(context, session, url, flags);
    const kept = await legalFlagCookies(getPageReads(context), flags, member);
    const headers = new Headers(await dropOthersDraft({ context, request }, session.userId));
    for (const line of kept) headers.append("Set-Cookie", line);
    const wallet = readWalletCookie(request.headers.get("Cookie") ?? "");
    return data({ sidebarOpen, member, reads, wallet, legal: { skipped: flags.ppSkipped } }, { headers });
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
    // A visitor's shell cannot show a member's page.
    if (findPage(url.pathname)?.audience === "member") throw await endExpiredSession({ context, url });
    leaveOutcome(context, AUTH_EVENT, "SIGNED_OUT", EXPIRED);
    return data(visitor, { headers: { "Set-Cookie": await cookie.destroy() } });
  }
}

/** Reads the member. Returns null if the API cannot be reached: the page says so, and the shell stays usable. */
async function readMember(context: PageContext, session: Session, url: URL, flags: LegalFlags) {
  const reads = getPageReads(context);
  try {
    const list = [...memberReads(reads.read), ...legalReads(reads.read, flags)];
    const [onTheWay] = await Promise.all([
      machineIdReads(reads),
      settleReads(reads, list),
      matchPath(HOME, url.pathname) && ensureOnboarded(context, session),
    ]);
    return await dehydrateReads(reads, [...list, ...onTheWay]);
  } catch (error) {
    if (error instanceof Response || isRefusedToken(error)) throw error;
    context.get(logContext).error({ err: error }, "The shell is shown without the member's data");
    return null;
  }
}

/**
 * Loads again on navigation only if something is no longer fresh, and always for a member who is not onboarded yet: the
 * dashboard onboards them, and the sidebar must show it.
 */
export function shouldRevalidate({ formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  if (formMethod && formMethod !== "GET") return defaultShouldRevalidate;
  const client = getBrowserQueryClient();
  const isOnboardedYet = isOnboarded(client.getQueryData<{ success: boolean }>([onboardedQuery.path, {}]));
  return !isOnboardedYet || !areFresh(client, memberReads);
}

export default function ShellRoute({ loaderData: { member, reads, sidebarOpen, legal } }: Route.ComponentProps) {
  useEffect(
    () => watchMember((isSignedIn) => withLeaveModule(({ followMember }) => followMember(isSignedIn, member ?? ""))),
    [member],
  );
  if (member === null) return <VisitorShell sidebarOpen={sidebarOpen} />;
  return (
    <QueryProvider member={member} onSignedOut={endSession} isOver={isSessionOver} onResponse={relaySessionEvents}>
      <HydrateReads carried={reads}>
        <MemberShell member={member} sidebarOpen={sidebarOpen} legal={legal}>
          <Outlet />
        </MemberShell>
      </HydrateReads>
    </QueryProvider>
  );
}

const endSession = () => leaveSignedOut("ended");

function VisitorShell({ sidebarOpen }: { sidebarOpen: boolean }) {
  useEffect(forgetMember, []);
  return (
    <AppShell member={null} sidebarOpen={sidebarOpen}>
      <FollowAsVisitor />
      <Outlet />
    </AppShell>
  );
}
