import { data, redirect, redirectDocument } from "react-router";
import * as z from "zod";
import { ResetPasswordInput } from "../../../server/auth/contract.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { NO_FIELDS, receive, type Refused } from "../../forms/receive.ts";
import { leaveOutcome } from "../../outcome/outcome.ts";
import { apiContext, sessionContext, type PageContext } from "../../page/context.ts";
import { revokeSession } from "../../page/member-page.ts";
import { SIGN_IN_NOTE } from "../../session/sign-in-note.ts";
import { clearPending, openPendingCookies } from "../pending-cookies.ts";
import type { ResetDeadEndKind } from "./reset-dead-end.tsx";

type ActionArgs = { context: PageContext; request: Request; form: FormData };

const UNAVAILABLE = "Your password cannot be changed right now. Please try again in a moment.";
const PAGE = "/auth/reset-password";

const PasswordForm = z.object({ password: ResetPasswordInput.shape.password });

/** Exchanges a mailed link for a recovery session. */
export async function openRecovery({ context, request, form }: ActionArgs) {
  const cookies = openPendingCookies(context);
  const link = await cookies.resetLink.read(request);
  if (!link) {
    // The button may have been pressed twice. The recovery session is then already open.
    const isOpen = (await cookies.recovery.read(request)) !== null;
    return redirect(isOpen ? PAGE : "/auth/forgot-password?lost", { status: 303 });
  }
  return receive(
    context,
    { form, schema: NO_FIELDS, unavailable: UNAVAILABLE },
    async () => {
      const { recoveryToken: token, email } = await context.get(apiContext).auth.openRecovery(link.token);
      const others = [await cookies.recovery.commit({ token, email })];
      leaveOutcome(context, AUTH_EVENT, "PASSWORD_RECOVERY");
      return redirectDocument(PAGE, { status: 303, headers: await clearPending(cookies, ["resetLink"], others) });
    },
    async (refused) => {
      const deadEnd = findDeadEnd(refused, { whenExpired: "expired", whenUsed: "used" });
      if (deadEnd === "used" && (await cookies.recovery.read(request))) {
        // The link was used in this browser, and its recovery session is still open.
        return redirect(PAGE, { status: 303, headers: await clearPending(cookies, ["resetLink"]) });
      }
      const isOver = deadEnd === "used" || deadEnd === "expired";
      return toActionData(refused, deadEnd, isOver ? await clearPending(cookies, ["resetLink", "reset"]) : []);
    },
  );
}

/**
 * Sets the new password in the recovery session. This ends every session of the member, including this browser's, and
 * the member signs in with the new password. If this browser has another member's session, that ends, too.
 */
export async function replacePassword({ context, request, form }: ActionArgs) {
  const cookies = openPendingCookies(context);
  const recovery = await cookies.recovery.read(request);
  if (!recovery) return redirect("/auth/forgot-password?over", { status: 303 });
  return receive(
    context,
    { form, schema: PasswordForm, unavailable: UNAVAILABLE },
    async ({ password }) => {
      await context.get(apiContext).auth.resetPassword({ token: recovery.token, password });
      const { cookie, session } = context.get(sessionContext);
      if (session) await revokeSession(context);
      leaveOutcome(context, AUTH_EVENT, "USER_UPDATED");
      leaveOutcome(context, SIGN_IN_NOTE, "password");
      const others = [await cookie.destroy()];
      const headers = await clearPending(cookies, ["recovery", "reset", "resetLink"], others);
      return redirectDocument("/auth", { status: 303, headers });
    },
    async (refused) => {
      const deadEnd = findDeadEnd(refused, { whenExpired: "recovery", whenUsed: "over" });
      const isOver = deadEnd === "recovery" || deadEnd === "over";
      return toActionData(refused, deadEnd, isOver ? await clearPending(cookies, ["recovery", "reset"]) : []);
    },
  );
}

type DeadEnds = { whenExpired: ResetDeadEndKind; whenUsed: ResetDeadEndKind };

function findDeadEnd({ error }: Refused, { whenExpired, whenUsed }: DeadEnds): ResetDeadEndKind | null {
  const deadEnds = new Map<string | undefined, ResetDeadEndKind>([
    ["EXPIRED", whenExpired],
    ["ALREADY_USED", whenUsed],
    ["TOO_MANY_ATTEMPTS", "attempts"],
  ]);
  return deadEnds.get(error?.code) ?? null;
}

/** Returns what the page shows instead of its form, or beside it. */
const toActionData = (
  { headers, result, retryAt, status }: Refused,
  deadEnd: ResetDeadEndKind | null,
  cookies: [string, string][],
) => data({ result, deadEnd, retryAt }, { status, headers: [...Object.entries(headers), ...cookies] });
