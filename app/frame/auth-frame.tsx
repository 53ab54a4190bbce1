import type { ReactNode } from "react";
import { RecoveryNote, VisitorEvents } from "../session/auth-events.tsx";
import { brand } from "../../brand.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { LegalLinks } from "../page/legal-links.tsx";
import { Logo } from "../ui/logo.tsx";
import { SkipLink } from "./skip-link.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

/** Whether the sidebar gives way to the slim header: on any route whose id contains `auth` (specification, section 2). */
export function hidesSidebar(matches: { id: string }[]): boolean {
  return matches.some(({ id }) => id.includes("auth"));
}

/** The slim header, with the page below it. */
export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <VisitorEvents />
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
        <ThemeToggle />
        <ButtonLink to="/auth/signup" variant="ink">
          Get started
        </ButtonLink>
      </header>
      <RecoveryNote />
      <main id="main" tabIndex={-1} className="flex grow flex-col">
        {children}
      </main>
      <footer className="border-t border-line px-4 py-2 md:px-8">
        <LegalLinks />
      </footer>
    </div>
  );
}
