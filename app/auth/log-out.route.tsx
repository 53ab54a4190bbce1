import { leaveOutcome } from "../outcome/outcome.ts";
import { TOAST } from "../outcome/toast-words.ts";
import { LogOutPage } from "../session/log-out-dialog.tsx";
import { pageMeta } from "../page/page-meta.ts";
import type { Route } from "./+types/log-out.route";
import { signOut } from "../page/member-page.ts";
import { clearAllPending, openPendingCookies } from "./pending-cookies.ts";

export const meta = pageMeta({ title: "Log out" });

/**
 * Ends the session on the server and in the browser. A link that can still choose a new password ends in the browser,
 * too.
 */
export async function action({ context }: Route.ActionArgs) {
  leaveOutcome(context, TOAST, "logged-out");
  const response = await signOut({ context });
  for (const [name, value] of await clearAllPending(openPendingCookies(context))) response.headers.append(name, value);
  return response;
}

export default function LogOutRoute() {
  return <LogOutPage />;
}
