import { useEffect } from "react";
import { Outlet, redirect } from "react-router";
import { brand } from "../../brand.ts";
import { sessionContext } from "../page/context.ts";
import { setSocialMeta } from "../page/social-meta.ts";
import type { Route } from "./+types/auth-layout.route";
import { AuthLayout } from "./auth-layout.tsx";
import { forgetMember } from "../session/member-flags.ts";
import { HOME } from "../page/member-page.ts";

/**
 * Redirects members to the dashboard, because they are already signed in. Only the page to choose a new password is
 * also for members: a mailed link may lead them there, and the page guards itself.
 */
export function loader({ context, pattern, url }: Route.LoaderArgs) {
  const isMember = context.get(sessionContext).session !== null;
  if (isMember && pattern !== "auth/reset-password") throw redirect(HOME);
  // Without the query, which may contain the token of a mailed link.
  setSocialMeta(context, { path: url.pathname });
  return { isMember };
}

/** Without a title: each page sets its own. */
export const meta: Route.MetaFunction = () => [{ name: "description", content: brand.description }];

export default function AuthLayoutRoute({ loaderData: { isMember } }: Route.ComponentProps) {
  useEffect(() => {
    // However the session ended, nobody is signed in when this page shows.
    if (!isMember) forgetMember();
  }, [isMember]);
  return (
    <AuthLayout>
      <Outlet />
    </AuthLayout>
  );
}
