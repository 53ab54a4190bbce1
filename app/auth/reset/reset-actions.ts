import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect, redirectDocument, type RouterContextProvider } from "react-router";
import * as z from "zod";
import { ResetPasswordInput } from "../../../server/auth/contract.ts";
import { toApiError } from "../../api/api-error.ts";
import { apiContext, logContext, sessionContext } from "../../page/context.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { say } from "../../outcome/outcome.ts";
import { SIGN_IN_NOTE } from "../../page/sign-in-note.ts";
import { explainFailure, toResult, type FormFailure } from "../../forms/form-failure.ts";
import { forget, openPendingCookies } from "../pending-cookies.ts";
import type { ResetDeadEndKind } from "./reset-dead-end.tsx";

type Context = Readonly<RouterContextProvider>;

const UNAVAILABLE = "Your password cannot be changed right now. Please try again in a moment.";
const PAGE = "/auth/reset-password";

const PasswordForm = z.object({ password: ResetPasswordInput.shape.password });

/** Exchanges the mailed link for a recovery session. */
export async function openRecovery(context: Context, request: Request) {
  const cookies = openPendingCookies(context);
  const link = await cookies.resetLink.read(request);
  if (!link) return redirect(PAGE, { status: 303 });
  try {
    const { recoveryToken: token } = await context.get(apiContext).auth.openRecovery(link.token);
    say(context, AUTH_EVENT, "PASSWORD_RECOVERY");
    const others = [await cookies.recovery.commit({ token })];
    return redirectDocument(PAGE, { status: 303, headers: await forget(cookies, ["resetLink"], others) });
  } catch (error) {
    const { failure, deadEnd } = explain(context, error, "expired");
    if (deadEnd === "used" && (await cookies.recovery.read(request))) {
      // It was used here: what it opened is open still.
      return redirect(PAGE, { status: 303, headers: await forget(cookies, ["resetLink"]) });
    }
    const isOver = deadEnd === "used" || deadEnd === "expired";
    return tell(failure, deadEnd, isOver ? await forget(cookies, ["resetLink", "reset"]) : []);
  }
}

/**
 * Sets the new password in the recovery session. It has ended every session of the member, and so this browser's; the
 * member signs in with the new one.
 */
export async function replacePassword(context: Context, request: Request, form: FormData) {
  const cookies = openPendingCookies(context);
  const recovery = await cookies.recovery.read(request);
  if (!recovery) return redirect("/auth/forgot-password?over", { status: 303 });
  const submission = parseWithZod(form, { schema: PasswordForm });
  if (submission.status !== "success") {
    return data({ result: submission.reply(KEPT_BACK), deadEnd: null, retryAt: undefined }, { status: 400 });
  }
  try {
    const { token } = recovery;
    await context.get(apiContext).auth.resetPassword({ token, password: submission.value.password });
    say(context, AUTH_EVENT, "USER_UPDATED");
    say(context, SIGN_IN_NOTE, "password");
    const others = [await context.get(sessionContext).cookie.destroy()];
    const headers = await forget(cookies, ["recovery", "reset", "resetLink"], others);
    return redirectDocument("/auth", { status: 303, headers });
  } catch (error) {
    const { failure, deadEnd } = explain(context, error, "recovery");
    return tell(failure, deadEnd, deadEnd === "recovery" ? await forget(cookies, ["recovery", "reset"]) : []);
  }
}

const KEPT_BACK = { hideFields: ["password"] };

function explain(context: Context, thrown: unknown, whenExpired: ResetDeadEndKind) {
  const error = toApiError(thrown);
  const failure = explainFailure(error, { unavailable: UNAVAILABLE });
  if (failure.status === 503) context.get(logContext).error({ err: thrown }, "A password could not be changed");
  const deadEnds = new Map<string, ResetDeadEndKind>([
    ["EXPIRED", whenExpired],
    ["ALREADY_USED", "used"],
    ["TOO_MANY_ATTEMPTS", "attempts"],
  ]);
  return { failure, deadEnd: deadEnds.get(error.code) ?? null };
}

/** What the page tells in place of, or beside, its form. */
function tell(failure: FormFailure, deadEnd: ResetDeadEndKind | null, cookies: [string, string][]) {
  const { headers, retryAt, status } = failure;
  return data(
    { result: deadEnd ? null : toResult(failure), deadEnd, retryAt },
    { status, headers: [...Object.entries(headers), ...cookies] },
  );
}
