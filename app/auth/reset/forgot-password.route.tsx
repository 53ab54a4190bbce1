import { data, redirect, redirectDocument } from "react-router";
import { ForgotPasswordInput } from "../../../server/auth/contract.ts";
import { apiContext, type PageContext } from "../../page/context.ts";
import type { Route } from "./+types/forgot-password.route";
import { loadCheckedForm, receiveChecked } from "../../forms/checked-form.ts";
import { forwardRetryAfter, NO_FIELDS, readForm, receive } from "../../forms/receive.ts";
import { ForgotPasswordForm } from "./forgot-password-form.tsx";
import { clearPending, openPendingCookies } from "../pending-cookies.ts";
import { ResetDeadEnd } from "./reset-dead-end.tsx";
import { ResetMailed } from "./reset-mailed.tsx";

const UNAVAILABLE = "You cannot ask for a new password right now. Please try again in a moment.";
const PAGE = "/auth/forgot-password";

/** Why the page to choose a password redirects here, by a word in the address. */
const REASONS = {
  over: "Your time to choose a password has run out. Ask for a new link here.",
  lost: "This browser no longer has the link. Open it from our email again, or ask for a new one here.",
};

/**
 * Loads the pending request if there is one, and the form otherwise. With `another` or a reason in the address, always
 * loads the form.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const reason = Object.entries(REASONS).find(([word]) => url.searchParams.has(word))?.[1] ?? null;
  const isForm = url.searchParams.has("another") || reason !== null;
  const asked = isForm ? null : await openPendingCookies(context).reset.read(request);
  if (!asked) return loadCheckedForm(context, { asked: null, reason });
  const { email, state, timestamp, duration } = asked;
  return { asked: { email, resend: { state, timestamp, duration } }, reason, check: null };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  if (form.get("intent") === "resend") return resendMail(context, request, form);

  const rules = { schema: ForgotPasswordInput, unavailable: UNAVAILABLE };
  return receiveChecked(context, { form, ...rules }, async (input) => {
    const { resetToken, resend } = await context.get(apiContext).auth.forgotPassword(input);
    const cookie = await openPendingCookies(context).reset.commit({ resetToken, email: input.email, ...resend });
    return redirectDocument(PAGE, { status: 303, headers: { "Set-Cookie": cookie } });
  });
}

async function resendMail(context: PageContext, request: Request, form: FormData) {
  const cookies = openPendingCookies(context);
  const asked = await cookies.reset.read(request);
  if (!asked) return redirect(PAGE, { status: 303 });
  return receive(
    context,
    { form, schema: NO_FIELDS, unavailable: UNAVAILABLE },
    async () => {
      const { resend } = await context.get(apiContext).auth.resendPasswordReset(asked.resetToken);
      const cookie = await cookies.reset.commit({ ...asked, ...resend });
      return redirect(PAGE, { status: 303, headers: { "Set-Cookie": cookie } });
    },
    async ({ error, headers, message, retryAt, status }) => {
      const isOver = error?.code === "EXPIRED";
      const removed = isOver ? await clearPending(cookies, ["reset"]) : [];
      const all = [...Object.entries(headers), ...removed];
      return data(
        { refusal: { message, retryAt }, isOver, result: null, check: null, retryAt },
        { status, headers: all },
      );
    },
  );
}

export const headers = forwardRetryAfter;

export default function ForgotPasswordRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { asked, reason } = loaderData;
  const resend = actionData && "refusal" in actionData ? actionData : undefined;
  if (resend?.isOver) return <ResetDeadEnd kind="request" retryAt={undefined} />;
  if (asked) return <ResetMailed {...asked} refusal={resend?.refusal ?? null} />;

  const check = actionData ? actionData.check : loaderData.check;
  const unavailable = check === null && !actionData && UNAVAILABLE;
  return (
    <ForgotPasswordForm
      lastResult={actionData?.result}
      retryAt={actionData?.retryAt}
      check={check}
      notice={unavailable || reason}
    />
  );
}
