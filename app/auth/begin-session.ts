import { redirectDocument } from "react-router";
import { sessionContext, type PageContext } from "../page/context.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { clearAllPending, openPendingCookies } from "./pending-cookies.ts";
import { revokeSession } from "../page/member-page.ts";
import type { Session } from "../session/session.ts";

/** The largest cookie that browsers keep, name and value, in bytes. */
const MAX_COOKIE_BYTES = 4096;

/**
 * Signs this browser in and redirects. Removes everything that is pending: a sign-up, a link to confirm one, a request
 * for a new password (product specification, section 4), and a link that can still choose one. Loads a new document, so
 * that nothing of the old one stays.
 */
export async function beginSession(context: PageContext, session: Session, to: string): Promise<Response> {
  const { cookie: sessionCookie, session: earlier } = context.get(sessionContext);
  const cookie = await sessionCookie.commit(session);
  // Otherwise sign-in would lead back to sign-in every time, and never give the reason.
  if (cookie.indexOf(";") > MAX_COOKIE_BYTES)
    throw new Error("The access token is longer than a browser keeps in a cookie");
  // Another tab has signed in since this one showed its form. Without this, its token would stay valid, and nobody
  // would notice.
  if (earlier) await revokeSession(context);
  leaveOutcome(context, AUTH_EVENT, "SIGNED_IN");
  const headers = await clearAllPending(openPendingCookies(context), [cookie]);
  return redirectDocument(to, { status: 303, headers });
}
