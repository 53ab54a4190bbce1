import { guardFreshMember } from "../auth/fresh-member.ts";
import { guardMember } from "../auth/member-guard.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { PlainPage } from "../shell/plain-page.tsx";
import { ButtonLink } from "../ui/button.tsx";
import type { Route } from "./+types/referrals.route";

export const loader = ({ context, url }: Route.LoaderArgs) => guardMember({ context, url });

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => guardFreshMember({ serverLoader });

export default function ReferralsRoute() {
  return (
    <PlainPage
      title="Your friends are not listed here yet"
      text="This page will list the friends who joined with your link and how far each has come. Your link is on the dashboard."
    >
      <ButtonLink to="/dashboard" variant="ink">
        Go to the dashboard
      </ButtonLink>
    </PlainPage>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageProblem error={error} />;
}
