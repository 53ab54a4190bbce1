import type { RouterContextProvider } from "react-router";
import { apiContext, sessionContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { say } from "../outcome/outcome.ts";
import { TOAST } from "../outcome/toast-words.ts";
import { LogOutPage } from "../session/log-out-dialog.tsx";
import { pageMeta } from "../page/page-meta.ts";
import type { Route } from "./+types/log-out.route";
import { endSession } from "../page/member-page.ts";

export const meta = pageMeta({ title: "Log out" });

/** Ends the session on the server and in the browser. */
export async function action({ context }: Route.ActionArgs) {
  if (context.get(sessionContext).session) await revokeSession(context);
  say(context, AUTH_EVENT, "SIGNED_OUT");
  say(context, TOAST, "logged-out");
  return endSession({ context }, "/auth");
}

/** The member leaves even when the server cannot be told; the token then runs out by itself. */
async function revokeSession(context: Readonly<RouterContextProvider>) {
  try {
    await context.get(apiContext).sessions.logout();
  } catch (error) {
    if (!isRefusedToken(error)) logFailure(context, error, "The session could not be revoked");
  }
}

export default function LogOutRoute() {
  return <LogOutPage />;
}
