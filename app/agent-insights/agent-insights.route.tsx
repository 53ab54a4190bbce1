import { guardFreshMember } from "../auth/fresh-member.ts";
import { guardMember } from "../auth/member-guard.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { PlainPage } from "../shell/plain-page.tsx";
import { ButtonLink } from "../ui/button.tsx";
import type { Route } from "./+types/agent-insights.route";

export const loader = ({ context, url }: Route.LoaderArgs) => guardMember({ context, url });

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => guardFreshMember({ serverLoader });

export default function AgentInsightsRoute() {
  return (
    <PlainPage
      title="No insights to show yet"
      text="This page will show what your node gathers: jobs, profiles, comments and posts. Its points already count, and the dashboard lists the latest."
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
