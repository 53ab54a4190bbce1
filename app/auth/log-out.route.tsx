import { say } from "../outcome/outcome.ts";
import { TOAST } from "../outcome/toast-words.ts";
import { LogOutPage } from "../session/log-out-dialog.tsx";
import { pageMeta } from "../page/page-meta.ts";
import type { Route } from "./+types/log-out.route";
import { signOut } from "../page/member-page.ts";

export const meta = pageMeta({ title: "Log out" });

/** Ends the session on the server and in the browser. */
export async function action({ context }: Route.ActionArgs) {
  say(context, TOAST, "logged-out");
  return signOut({ context }, "/auth");
}

export default function LogOutRoute() {
  return <LogOutPage />;
}
