import { Outlet } from "react-router";
import { FollowAsVisitor } from "../session/follow-session.tsx";
import { brand } from "../../brand.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { LegalLinks } from "../page/legal-links.tsx";
import { Logo } from "../ui/logo.tsx";
import { SkipLink } from "../ui/skip-link.tsx";
import { Messages } from "../ui/toast/toaster.tsx";
import { ThemeToggle } from "../page/theme-toggle.tsx";
import { sessionContext } from "../page/context.ts";
import type { Route } from "./+types/auth-frame.route";
import { Link } from "../ui/link.tsx";

export const loader = ({ context }: Route.LoaderArgs) => ({ isMember: context.get(sessionContext).session !== null });

/** The slim header in place of the sidebar, with the page below it. Members have got started. */
export default function AuthFrameRoute({ loaderData: { isMember } }: Route.ComponentProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <FollowAsVisitor />
      <header className="shown-whole flex min-h-15 flex-wrap items-center justify-end gap-x-4.5 gap-y-2 border-b border-line px-4 py-2 md:px-8">
        <div className="me-auto">
          <Logo to="/auth" />
        </div>
        <nav aria-label="Community" className="flex items-center gap-4.5 text-small text-ink-2">
          {Object.entries(brand.links).map(([name, href]) => (
            <a
              key={name}
              href={href}
              rel="noreferrer"
              className="inline-flex h-6 min-w-6 items-center justify-center no-underline hover:text-ink hover:underline"
            >
              {name}
            </a>
          ))}
        </nav>
        <Messages />
        <ThemeToggle />
        {!isMember && (
          <ButtonLink to="/auth/signup" variant="ink">
            Get started
          </ButtonLink>
        )}
      </header>
      <main id="main" tabIndex={-1} className="flex grow flex-col">
        <Outlet />
      </main>
      <footer className="flex flex-wrap justify-between gap-x-4.5 border-t border-line px-4 py-2 md:px-8">
        <LegalLinks />
        <Link
          to="/faqs"
          className="inline-flex min-h-6 items-center text-hint text-ink-2 no-underline hover:text-ink hover:underline"
        >
          Help &amp; FAQs
        </Link>
      </footer>
    </div>
  );
}
