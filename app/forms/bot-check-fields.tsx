import { lazy, Suspense } from "react";
import type { BotCheckToken } from "../../server/auth/contract.ts";
import { DECOY } from "./decoy.ts";

/** Only where it is configured. What lazy cannot have it does not ask for again, and the whole page would go with it. */
const Turnstile = lazy(() =>
  import("./turnstile.island.tsx").then(
    (loaded) => ({ default: loaded.Turnstile }),
    () => ({ default: Missing }),
  ),
);

const Missing = () => (
  <p role="alert" className="text-small text-bad">
    The check that protects this form could not be loaded. Please reload the page.
  </p>
);

type BotCheckFieldsProps = {
  /** The built-in check's token, or the site key with which the browser makes one; null while neither can be had. */
  check: BotCheckToken | null;
};

/** What tells robots from people: without asking people anything, or by Turnstile where that is configured. */
export function BotCheckFields({ check }: BotCheckFieldsProps) {
  return (
    <>
      {check?.siteKey ? (
        <Suspense>
          <Turnstile siteKey={check.siteKey} attempt={check} />
        </Suspense>
      ) : (
        <input type="hidden" name="turnstileToken" value={check?.turnstileToken ?? ""} />
      )}
      <div className="decoy" aria-hidden="true">
        <label htmlFor={DECOY}>Please leave this field blank</label>
        <input id={DECOY} name={DECOY} defaultValue="" autoComplete="off" tabIndex={-1} />
      </div>
    </>
  );
}
