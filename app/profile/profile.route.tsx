import { guardFreshMember } from "../auth/fresh-member.ts";
import { guardMember } from "../auth/member-guard.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { PlainPage } from "../shell/plain-page.tsx";
import { ButtonLink } from "../ui/button.tsx";
import type { Route } from "./+types/profile.route";

export const loader = ({ context, url }: Route.LoaderArgs) => guardMember({ context, url });

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => guardFreshMember({ serverLoader });

export default function ProfileRoute() {
  return (
    <PlainPage
      title="Your profile cannot be edited here yet"
      text="This page will hold your name, your handles and your website. Nothing here is needed to earn points."
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
