import { useEffect } from "react";
import { ReferralCode } from "../../server/referrals/contract.ts";
import { ButtonLink } from "../ui/button.tsx";
import { showToast } from "../ui/toast.ts";
import type { Route } from "./+types/sign-up.route";
import { AuthTitle } from "./auth-layout.tsx";

/** The referral code of an invitation's link: optional, but one that is given must be valid. */
export function loader({ url }: Route.LoaderArgs) {
  const given = url.searchParams.get("referralCode");
  if (given === null) return { referralCode: null, problem: null };
  const { data = null, error } = ReferralCode.safeParse(given);
  return { referralCode: data, problem: error?.issues[0]?.message ?? null };
}

export default function SignUpRoute({ loaderData: { referralCode, problem } }: Route.ComponentProps) {
  useEffect(() => {
    // One id, so that a second run of the effect replaces the toast instead of adding one.
    if (problem) showToast(problem, { tone: "error", id: "referral-code" });
  }, [problem]);

  return (
    <div className="grid gap-5">
      <AuthTitle title="Create an account" text="New accounts cannot be created on this page yet." />
      {problem && (
        <p role="alert" className="rounded-control bg-pulse-soft px-3 py-2.5 text-small text-bad">
          {problem}
        </p>
      )}
      {referralCode && (
        <p className="text-ink-2">
          You were invited with the code <span className="num select-all font-strong text-ink">{referralCode}</span>.
          Keep your friend’s link: joining with it starts you with 1.000 extra points.
        </p>
      )}
      <p className="text-ink-2">If you already have an account, sign in with it.</p>
      <ButtonLink to="/auth" variant="ink" size="lg">
        Sign in
      </ButtonLink>
    </div>
  );
}
