import { Button } from "../ui/controls/button.tsx";
import { focusPage } from "../ui/lost-focus.ts";
import type { Consent } from "./consent.ts";
import { saveConsent } from "./use-consent.ts";
import { Link } from "../ui/link.tsx";

/** base.css keeps what is below the strip within reach. */
const CONSENT_STRIP = "consent-strip";

/** Asks once, beside the page rather than over it. Neither answer is easier than the other. */
export function ConsentStrip() {
  return (
    <section
      id={CONSENT_STRIP}
      aria-label="May we measure?"
      className="fixed end-4 bottom-4 z-20 grid w-[calc(100%-2rem)] max-w-95 gap-3 rounded-card bg-surface p-4 text-small shadow-float forced-colors:border"
    >
      <p className="text-ink-2">
        May we measure how these pages are used, with Google Tag Manager? Nothing is sent before you allow it. You can
        change your mind under{" "}
        <Link to="/faqs#measuring" className="underline">
          Help &amp; FAQs
        </Link>
        .
      </p>
      <div className="flex justify-end gap-2.5">
        <Button onClick={() => answer("denied")}>Decline</Button>
        <Button onClick={() => answer("granted")}>Allow</Button>
      </div>
    </section>
  );
}

/** Saves the choice, and moves the focus, because the strip disappears. */
function answer(choice: NonNullable<Consent>) {
  saveConsent(choice);
  focusPage();
}
