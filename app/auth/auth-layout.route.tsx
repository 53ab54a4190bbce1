import { useEffect } from "react";
import { Outlet, redirect } from "react-router";
import { sessionContext } from "../api/context.ts";
import type { Route } from "./+types/auth-layout.route";
import { AuthLayout } from "./auth-layout.tsx";
import { forgetMember } from "./member-flags.ts";
import { HOME } from "./member-page.ts";

/** Who has a session is already where these pages lead. */
export function loader({ context }: Route.LoaderArgs) {
  if (context.get(sessionContext).session) throw redirect(HOME);
  return null;
}

export default function AuthLayoutRoute() {
  // However the session ended, nobody is signed in where this shows.
  useEffect(forgetMember, []);
  return (
    <AuthLayout>
      <Outlet />
    </AuthLayout>
  );
}
