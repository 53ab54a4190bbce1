import { useEffect, useState } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { followSession } from "../../session/session-news.ts";

/** Above the page that waits for a link to be opened: it was, in another tab. */
export function RecoveryNote() {
  const [opened, setOpened] = useState(false);
  const { pathname } = useLocation();
  const asked = useRouteLoaderData<{ asked?: object | null }>("auth/reset/forgot-password.route")?.asked;
  useEffect(
    () =>
      followSession((event) => {
        if (event === "PASSWORD_RECOVERY") setOpened(true);
      }),
    [],
  );
  const isWaiting = opened && asked && pathname === "/auth/forgot-password";
  return (
    <output className="block border-b border-line bg-info-soft px-4 py-2.5 text-center text-small text-info empty:hidden md:px-8">
      {isWaiting ? "The link was opened in another tab. Choose your new password there." : null}
    </output>
  );
}
