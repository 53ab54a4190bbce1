import { redirect } from "react-router";
import { sessionContext } from "../../page/context.ts";
import type { Route } from "./+types/verify.route";
import { AuthForm } from "../auth-form.tsx";
import { AuthTitle } from "../auth-layout.tsx";
import { WaysOn } from "../dead-end.tsx";
import { forwardRetryAfter, readForm } from "../../forms/receive.ts";
import { CodeForm } from "./code-form.tsx";
import { openPendingCookies, readLinkToken } from "../pending-cookies.ts";
import { confirmByCode, confirmByLink, resendCode } from "./verify-actions.ts";
import { VerifyDeadEnd } from "./verify-dead-end.tsx";

/**
 * Loads the page. Opening a mailed link does not use it up, because mail scanners open links, too. Its token goes into
 * a cookie immediately, so that it is not in the address, the page or the browser's history.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { signUp, verifyLink } = openPendingCookies(context);
  if (url.searchParams.has("code")) {
    const link = readLinkToken(url.searchParams.get("code"));
    const keep = link && !context.get(sessionContext).session;
    throw redirect(url.pathname, keep ? { headers: { "Set-Cookie": await verifyLink.commit(link) } } : {});
  }
  const waiting = await signUp.read(request);
  return {
    hasLink: (await verifyLink.read(request)) !== null,
    waiting: waiting && { email: waiting.email, resend: waiting.resend },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const intent = form.get("intent");
  const act = intent === "resend" ? resendCode : intent === "link" ? confirmByLink : confirmByCode;
  return act({ context, request, form });
}

export const headers = forwardRetryAfter;

export default function VerifyRoute({ loaderData: { hasLink, waiting }, actionData }: Route.ComponentProps) {
  const { deadEnd, message, result, retryAt } = actionData ?? {};
  if (deadEnd) {
    const resend = hasLink ? undefined : waiting?.resend;
    const isWaiting = waiting !== null;
    return <VerifyDeadEnd kind={deadEnd} message={message} retryAt={retryAt} resend={resend} isWaiting={isWaiting} />;
  }
  if (hasLink) {
    return (
      <AuthForm
        title="Confirm your email"
        text="Finish creating your account. This also signs you in."
        errors={result?.error?.[""]}
        intent="link"
        submit={["Confirm my email", "Confirming…"]}
      />
    );
  }
  // The error of asking for another email. That form has no fields.
  const refusal = message && !result ? { message, retryAt } : null;
  if (waiting) return <CodeForm {...waiting} lastResult={result} resendRefusal={refusal} />;
  return <NothingWaiting />;
}

function NothingWaiting() {
  return (
    <div className="grid gap-5">
      <AuthTitle
        title="Confirm your email"
        text="New members confirm their email address here, with a code we send them."
      />
      <p className="text-ink-2">
        There is no email address to confirm. If you have our email, open the link in it. If you already have an
        account, sign in.
      </p>
      <WaysOn
        ways={[
          { to: "/auth", words: "Sign in" },
          { to: "/auth/signup", words: "Create an account" },
        ]}
      />
    </div>
  );
}
