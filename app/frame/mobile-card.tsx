import { useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../ui/icon.tsx";
import { mobileContinuedCookie } from "../page/preferences.ts";
import { PreferenceForm } from "../page/preference-form.tsx";
import { storeCookie } from "../cookies/plain-cookie.ts";

/**
 * Shows a card instead of the page below 768 px, until the reader asks to continue, which holds for the session. A
 * desktop zoomed to 400 % is a small screen too, so the button to continue is always there.
 */
export function MobileGate({ continued, children }: { continued: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(continued);
  const page = useRef<HTMLDivElement>(null);

  function proceed() {
    storeCookie(mobileContinuedCookie());
    flushSync(() => setOpen(true));
    // The button that had the focus is gone. The page begins at its top, however far the card was scrolled.
    page.current?.querySelector("main")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  return (
    <>
      {!open && <MobileCard onContinue={proceed} />}
      <div ref={page} className={open ? "contents" : "gated"}>
        {children}
      </div>
    </>
  );
}

function MobileCard({ onContinue }: { onContinue: () => void }) {
  return (
    // Not a `main`, because the page behind it has one.
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- only the stylesheet makes it cover the page; a dialog element has its own position
      role="dialog"
      aria-modal="true"
      aria-labelledby="small-screen"
      className="mobile-gate"
    >
      <div className="mobile-card">
        <Icon name="monitor" className="size-10 stroke-[1.6] text-pulse" />
        <h1 id="small-screen" className="dialog-title">
          Mobile version coming soon
        </h1>
        <p>Please use a desktop computer for now.</p>
        {/* A reader with a mouse is already at a desktop. */}
        <p className="hidden text-balance pointer-fine:block">
          Already on one? Widen this window, zoom out, or continue anyway.
        </p>
        <PreferenceForm action="/shell/continue" onApply={onContinue}>
          <button type="submit">Continue anyway</button>
        </PreferenceForm>
      </div>
    </div>
  );
}
