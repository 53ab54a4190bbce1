import { useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { FollowAsVisitor } from "../session/follow-session.tsx";
import { brand } from "../../brand.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { FootLink } from "../page/foot-link.tsx";
import { LegalLinks } from "../page/legal-links.tsx";
import { HydrateLater } from "../page/hydrate-later.tsx";
import { Logo } from "../ui/logo.tsx";
import { SkipLink } from "../ui/skip-link.tsx";
import { Messages } from "../ui/toast/toaster.tsx";
import { ThemeToggle } from "../page/theme-toggle.tsx";

/** Renders a slim header instead of the sidebar, and the page below it. */
export default function AuthFrameRoute() {
  const main = useFocusOfPages();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <FollowAsVisitor />
      <header className="visitor-header">
        <div className="me-auto">
          {/* Without a referrer. Sign-in takes a visitor who comes from sign-in without a cookie for one whose
              browser keeps none. */}
          <Logo to="/auth" rel="noreferrer" />
        </div>
        {/* Appears with the first message. In this place, before the others, it moves none of them. */}
        <Messages />
        <nav aria-label="Community" className="community">
          {Object.entries(brand.links).map(([name, href]) => (
            <a key={name} href={href} rel="noreferrer">
              {name}
            </a>
          ))}
        </nav>
        <ThemeToggle />
        <ButtonLink to="/auth/signup" variant="ink">
          Get started
        </ButtonLink>
      </header>
      <main ref={main} id="main" tabIndex={-1} className="shown-whole @container flex grow flex-col">
        <HydrateLater>
          <Outlet />
        </HydrateLater>
      </main>
      <footer className="visitor-footer">
        <LegalLinks />
        <FootLink to="/faqs">Help &amp; FAQs</FootLink>
      </footer>
    </div>
  );
}

/**
 * Focuses the page after a navigation if the link that led to it is gone. What the shell uses for that is too heavy for
 * these pages.
 */
function useFocusOfPages() {
  const main = useRef<HTMLElement>(null);
  const { key } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    const isAnother = shown.current !== key;
    shown.current = key;
    if (isAnother && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [key]);
  return main;
}
