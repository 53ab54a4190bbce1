import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect, type RouterContextProvider } from "react-router";
import * as z from "zod";
import { VerifyInput } from "../../../server/auth/contract.ts";
import { noteEvent } from "../../analytics/measuring.ts";
import { toApiError, type ApiError } from "../../api/api-error.ts";
import { apiContext, logContext } from "../../page/context.ts";
import { beginSession } from "../begin-session.ts";
import { explainFailure, toResult, type FormFailure } from "../../forms/form-failure.ts";
import { HOME } from "../../page/member-page.ts";
import { forget, openPendingCookies } from "../pending-cookies.ts";

type Context = Readonly<RouterContextProvider>;

const UNAVAILABLE = "Your email cannot be confirmed right now. Please try again in a moment.";
/** Where the form of a sign-up that the browser has given up leads: to the page that says so. */
const PAGE = "/auth/verify";

const CodeForm = z.object({ verificationCode: VerifyInput.shape.verificationCode.unwrap() });

/** Confirms the address of this browser's sign-up with the mailed code. */
export async function confirmByCode(context: Context, request: Request, form: FormData) {
  const waiting = await openPendingCookies(context).signUp.read(request);
  if (!waiting) return redirect(PAGE, { status: 303 });
  const submission = parseWithZod(form, { schema: CodeForm });
  if (submission.status !== "success") return tell({ status: 400, result: submission.reply(KEPT_BACK) });
  try {
    return await confirm(context, { token: waiting.signupToken, ...submission.value });
  } catch (error) {
    const { failure, deadEnd } = explain(context, error);
    if (!deadEnd) {
      const { formErrors = [], fieldErrors = {} } = failure;
      return tell({ ...failure, result: submission.reply({ ...KEPT_BACK, formErrors, fieldErrors }) });
    }
    // Another mail brings new attempts; what is over is over.
    const cookies = deadEnd === "attempts" ? [] : await removed(context, "signUp");
    return tell({ ...failure, deadEnd, message: toMessage(failure) }, cookies);
  }
}

/** Codes are as secret as what they open. */
const KEPT_BACK = { hideFields: ["verificationCode"] };

/** Confirms the address that a mailed link was sent to. */
export async function confirmByLink(context: Context, request: Request) {
  const link = await openPendingCookies(context).verifyLink.read(request);
  if (!link) return redirect(PAGE, { status: 303 });
  try {
    return await confirm(context, link);
  } catch (error) {
    const { failure, deadEnd } = explain(context, error);
    if (!deadEnd || deadEnd === "attempts")
      return tell({ ...failure, deadEnd, result: toResult(failure), message: toMessage(failure) });
    return tell({ ...failure, deadEnd }, await removed(context, "verifyLink"));
  }
}

async function confirm(context: Context, input: z.input<typeof VerifyInput>): Promise<Response> {
  const { accessToken, user } = await context.get(apiContext).auth.verify(input);
  if (!accessToken) throw new Error("The verification brought no access token");
  noteEvent(context, { event: "sign_up" });
  return beginSession(context, { accessToken, userId: user.id }, HOME);
}

/** Asks for another mail. */
export async function resendCode(context: Context, request: Request) {
  const { signUp } = openPendingCookies(context);
  const waiting = await signUp.read(request);
  if (!waiting) return redirect(PAGE, { status: 303 });
  try {
    const { resend } = await context.get(apiContext).auth.resendVerification(waiting.signupToken);
    const headers = { "Set-Cookie": await signUp.commit({ ...waiting, resend }) };
    return redirect(PAGE, { status: 303, headers });
  } catch (error) {
    const { failure, deadEnd } = explain(context, error);
    if (deadEnd && deadEnd !== "attempts") return tell({ ...failure, deadEnd }, await removed(context, "signUp"));
    return tell({ ...failure, message: toMessage(failure) });
  }
}

const toMessage = ({ formErrors }: FormFailure) => formErrors?.join(" ") ?? UNAVAILABLE;

const removed = (context: Context, name: "signUp" | "verifyLink") => forget(openPendingCookies(context), [name]);

const DEAD_ENDS = {
  EXPIRED: "expired",
  ALREADY_USED: "used",
  CONFLICT: "taken",
  TOO_MANY_ATTEMPTS: "attempts",
} as const;

export type VerifyDeadEnd = (typeof DEAD_ENDS)[keyof typeof DEAD_ENDS];

function explain(context: Context, thrown: unknown) {
  const error: ApiError = toApiError(thrown);
  const failure = explainFailure(error, { unavailable: UNAVAILABLE });
  if (failure.status === 503) context.get(logContext).error({ err: thrown }, "An email could not be confirmed");
  return { failure, deadEnd: isDeadEnd(error.code) ? DEAD_ENDS[error.code] : undefined };
}

const isDeadEnd = (code: string): code is keyof typeof DEAD_ENDS => Object.hasOwn(DEAD_ENDS, code);

type Told = Partial<FormFailure> & {
  status: number;
  result?: ReturnType<typeof toResult>;
  deadEnd?: VerifyDeadEnd | undefined;
  /** Why there are no more attempts, or no other mail yet. */
  message?: string;
};

/** What the page tells in place of, or beside, its form. */
function tell({ status, headers, result, deadEnd, message, retryAt }: Told, cookies: [string, string][] = []) {
  const all = [...Object.entries(headers ?? {}), ...cookies];
  return data({ result: result ?? null, deadEnd: deadEnd ?? null, message, retryAt }, { status, headers: all });
}
