import { useEffect } from "react";
import { redirectDocument } from "react-router";
import { brand } from "../../../brand.ts";
import { SignUpInput } from "../../../server/auth/contract.ts";
import { ReferralCode } from "../../../server/referrals/contract.ts";
import { apiContext } from "../../page/context.ts";
import { readRules } from "../../points/read-rules.ts";
import { describeInvitation } from "../../referrals/describe-invitation.ts";
import { setSocialMeta } from "../../page/social-meta.ts";
import { showToast } from "../../ui/toast/toast.ts";
import type { Route } from "./+types/sign-up.route";
import { loadCheckedForm, receiveChecked } from "../../forms/checked-form.ts";
import { forwardRetryAfter, readForm } from "../../forms/receive.ts";
import { FormNotice } from "../../forms/form-notice.tsx";
import { clearPending, openPendingCookies } from "../pending-cookies.ts";
import { SignUpForm } from "./sign-up-form.tsx";

const UNAVAILABLE = "Signing up does not work right now. Please try again in a moment.";

/** Loads the form. The referral code of an invitation link is optional, but one that is given must be valid. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const given = url.searchParams.get("referralCode");
  const { data: referralCode = null, error } = ReferralCode.nullable().safeParse(given);
  const referralPoints = referralCode ? ((await readRules(context))?.referralPoints ?? null) : null;
  // A link to this page that is sent to friends shows as an invitation in their chats.
  const invitation = referralCode ? describeInvitation(referralCode, referralPoints) : undefined;
  setSocialMeta(context, { path: url.pathname, ...invitation });
  const { description = brand.description } = invitation ?? {};
  const problem = error?.issues[0]?.message ?? null;
  return loadCheckedForm(context, { referralCode, referralPoints, description, problem });
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { name: "description", content: loaderData?.description ?? brand.description },
];

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const rules = { schema: SignUpInput, unavailable: UNAVAILABLE };
  return receiveChecked(context, { form, ...rules }, async (input) => {
    const { signupToken, resend } = await context.get(apiContext).auth.signUp(input);
    const cookies = openPendingCookies(context);
    const cookie = await cookies.signUp.commit({ signupToken, email: input.email, resend });
    // A link that was followed before belongs to another sign-up.
    return redirectDocument("/auth/verify", {
      status: 303,
      headers: await clearPending(cookies, ["verifyLink"], [cookie]),
    });
  });
}

export const headers = forwardRetryAfter;

export default function SignUpRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { referralCode, referralPoints, problem } = loaderData;
  useEffect(() => {
    // One id, so that a second run of the effect replaces the toast instead of adding one.
    if (problem) showToast(problem, { tone: "error", id: "referral-code" });
  }, [problem]);

  const check = actionData ? actionData.check : loaderData.check;
  return (
    <SignUpForm
      lastResult={actionData?.result}
      retryAt={actionData?.retryAt}
      check={check}
      referralCode={referralCode}
      referralPoints={referralPoints}
      notice={
        <>
          {problem && <InvalidCode problem={problem} />}
          <FormNotice>{check === null && !actionData ? UNAVAILABLE : null}</FormNotice>
        </>
      }
    />
  );
}

/** Says that the link's code is invalid. Visitors can still sign up without it. */
function InvalidCode({ problem }: { problem: string }) {
  return (
    <div role="alert" className="note note-bad">
      <p className="font-strong">{problem}</p>
      <p>Ask your friend for the link again, or sign up without it.</p>
    </div>
  );
}
