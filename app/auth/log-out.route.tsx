import type { RouterContextProvider } from "react-router";
import { apiContext, sessionContext } from "../api/context.ts";
import { logFailure } from "../api/log-failure.ts";
import { isRefusedToken } from "../api/page-reads.ts";
import { flash } from "../shell/flash.ts";
import { LogOutPage } from "../shell/log-out-dialog.tsx";
import type { Route } from "./+types/log-out.route";
import { announce } from "./auth-event.ts";
import { endSession } from "./member-page.ts";

/** Ends the session on the server and in the browser. */
export async function action({ context }: Route.ActionArgs) {
  if (context.get(sessionContext).session) await revokeSession(context);
  return endSession({ context }, "/auth", announce("SIGNED_OUT"), flash("You are logged out."));
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
