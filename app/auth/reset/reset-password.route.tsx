import { redirect } from "react-router";
import type { Route } from "./+types/reset-password.route";
import { forwardRetryAfter, readForm } from "../../forms/receive.ts";
import { openPendingCookies, readLinkToken } from "../pending-cookies.ts";
import { openRecovery, replacePassword } from "./reset-actions.ts";
import { ResetDeadEnd } from "./reset-dead-end.tsx";
import { OpenRecoveryForm, ResetPasswordForm } from "./reset-password-form.tsx";

/**
 * Loads the page for a recovery session, or for a mailed link, which can open one. Everybody else is redirected to
 * sign-in. Opening a link does not use it up. Its token goes into a cookie immediately, so that it is not in the
 * address, the page or the history.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { recovery, resetLink } = openPendingCookies(context);
  if (url.searchParams.has("token")) {
    const link = readLinkToken(url.searchParams.get("token"));
    throw redirect(url.pathname, link ? { headers: { "Set-Cookie": await resetLink.commit(link) } } : {});
  }
  // The link is the newer of the two: opening the recovery session removes it.
  if (await resetLink.read(request)) return { isOpen: false };
  const opened = await recovery.read(request);
  if (opened) return { isOpen: true, email: opened.email };
  throw redirect("/auth");
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const act = form.get("intent") === "open" ? openRecovery : replacePassword;
  return act({ context, request, form });
}

export const headers = forwardRetryAfter;

export default function ResetPasswordRoute({ loaderData: { isOpen, email }, actionData }: Route.ComponentProps) {
  const { deadEnd, result, retryAt } = actionData ?? {};
  if (deadEnd) return <ResetDeadEnd kind={deadEnd} retryAt={retryAt} />;
  return isOpen ? <ResetPasswordForm email={email} lastResult={result} /> : <OpenRecoveryForm lastResult={result} />;
}
