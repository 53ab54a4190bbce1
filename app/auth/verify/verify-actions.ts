import { data, redirect } from "react-router";
import * as z from "zod";
import { VerifyInput } from "../../../server/auth/contract.ts";
import { queueEvent } from "../../analytics/measuring.ts";
import { NO_FIELDS, receive, type Refused } from "../../forms/receive.ts";
import { apiContext, type PageContext } from "../../page/context.ts";
import { HOME } from "../../page/member-page.ts";
import { beginSession } from "../begin-session.ts";
import { clearPending, openPendingCookies } from "../pending-cookies.ts";

type ActionArgs = { context: PageContext; request: Request; form: FormData };

const UNAVAILABLE = "Your email cannot be confirmed right now. Please try again in a moment.";
/** The page that forms lead to if the browser no longer has the sign-up: it says so. */
const PAGE = "/auth/verify";

const CodeForm = z.object({ verificationCode: VerifyInput.shape.verificationCode.unwrap() });

/** Confirms the address of this browser's sign-up with the code from the email. */
export async function confirmByCode({ context, request, form }: ActionArgs) {
  const waiting = await openPendingCookies(context).signUp.read(request);
  if (!waiting) return redirect(PAGE, { status: 303 });
  return receive(
    context,
    { form, schema: CodeForm, unavailable: UNAVAILABLE },
    (input) => confirm(context, { token: waiting.signupToken, ...input }),
    (refused) => toActionData(context, refused, "signUp"),
  );
}

/** Confirms the address that a mailed link was sent to. */
export async function confirmByLink({ context, request, form }: ActionArgs) {
  const link = await openPendingCookies(context).verifyLink.read(request);
  if (!link) return data({ deadEnd: "lost" as const, message: undefined, retryAt: undefined, result: null }, 410);
  return receive(
    context,
    { form, schema: NO_FIELDS, unavailable: UNAVAILABLE },
    () => confirm(context, link),
    (refused) => toActionData(context, refused, "verifyLink"),
  );
}

async function confirm(context: PageContext, input: z.input<typeof VerifyInput>): Promise<Response> {
  const { accessToken, user } = await context.get(apiContext).auth.verify(input);
  if (!accessToken) throw new Error("The verification brought no access token");
  queueEvent(context, { event: "sign_up" });
  return beginSession(context, { accessToken, userId: user.id }, HOME);
}

/** Requests another email. */
export async function resendCode({ context, request, form }: ActionArgs) {
  const { signUp } = openPendingCookies(context);
  const waiting = await signUp.read(request);
  if (!waiting) return redirect(PAGE, { status: 303 });
  return receive(
    context,
    { form, schema: NO_FIELDS, unavailable: UNAVAILABLE },
    async () => {
      const { resend } = await context.get(apiContext).auth.resendVerification(waiting.signupToken);
      const headers = { "Set-Cookie": await signUp.commit({ ...waiting, resend }) };
      return redirect(PAGE, { status: 303, headers });
    },
    (refused) => toActionData(context, refused, "signUp", { isResend: true }),
  );
}

const DEAD_ENDS = {
  EXPIRED: "expired",
  ALREADY_USED: "used",
  CONFLICT: "taken",
  REQUIREMENTS_NOT_MET: "several",
  TOO_MANY_ATTEMPTS: "attempts",
} as const;

/** `lost`: the browser no longer has the link. */
export type VerifyDeadEnd = (typeof DEAD_ENDS)[keyof typeof DEAD_ENDS] | "lost";

const isDeadEnd = (code: string | undefined): code is keyof typeof DEAD_ENDS =>
  code !== undefined && Object.hasOwn(DEAD_ENDS, code);

/**
 * Returns what the page shows instead of its form, or beside it. Removes the cookie of a sign-up or link that is over.
 */
async function toActionData(
  context: PageContext,
  { error, headers, message, result, retryAt, status }: Refused,
  pending: "signUp" | "verifyLink",
  { isResend = false } = {},
) {
  const found = isDeadEnd(error?.code) ? DEAD_ENDS[error.code] : null;
  // Another email brings new attempts. If it is too early for one, a message beside its button says so.
  const deadEnd = isResend && found === "attempts" ? null : found;
  const isOver = deadEnd !== null && deadEnd !== "attempts";
  const removed = isOver ? await clearPending(openPendingCookies(context), [pending]) : [];
  const all = [...Object.entries(headers), ...removed];
  return data({ deadEnd, message, retryAt, result: isResend ? null : result }, { status, headers: all });
}
