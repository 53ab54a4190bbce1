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
 * Who has a session is already where these pages lead; except that a member with a mailed link, too, chooses a new
 * password on its page, which guards itself.
 */
export function loader({ context, pattern, url }: Route.LoaderArgs) {
  const isMember = context.get(sessionContext).session !== null;
  if (isMember && pattern !== "auth/reset-password") throw redirect(HOME);
  // Without the query, which may hold what a mail's link proves.
  setSocialMeta(context, { path: url.pathname });
  return { isMember };
}

/** Without a title: each page brings the one of what it shows. */
export const meta: Route.MetaFunction = () => [{ name: "description", content: brand.description }];

export default function AuthLayoutRoute({ loaderData: { isMember } }: Route.ComponentProps) {
  useEffect(() => {
    // However the session ended, nobody is signed in where this shows.
    if (!isMember) forgetMember();
  }, [isMember]);
  return (
    <AuthLayout>
      <Outlet />
    </AuthLayout>
  );
}
