import { guardFreshMember } from "../auth/fresh-member.ts";
import { guardMember } from "../auth/member-guard.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { PlainPage } from "../shell/plain-page.tsx";
import { ButtonLink } from "../ui/button.tsx";
import type { Route } from "./+types/rewards.route";

export const loader = ({ context, url }: Route.LoaderArgs) => guardMember({ context, url });

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => guardFreshMember({ serverLoader });

export default function RewardsRoute() {
  return (
    <PlainPage
      title="No rewards to claim here yet"
      text="This page will list the campaigns you can take part in and what each is worth. Points from rewards already count on the dashboard."
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
