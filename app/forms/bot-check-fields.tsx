import { lazy, Suspense } from "react";
import type { BotCheckToken } from "../../server/auth/contract.ts";
import { DECOY } from "./decoy.ts";
import { MISSING_CHECK } from "./missing-check.ts";

/**
 * Only where it is configured. `lazy` never tries again: without a stand-in a failure would take the whole page with
 * it.
 */
const Turnstile = lazy(() =>
  import("./turnstile.island.tsx").then(
    (loaded) => ({ default: loaded.Turnstile }),
    () => ({ default: Missing }),
  ),
);

const Missing = () => (
  <p role="alert" className="text-small text-bad">
    {MISSING_CHECK}
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
