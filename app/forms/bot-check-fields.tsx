import { lazy, Suspense } from "react";
import type { BotCheckToken } from "../../server/auth/contract.ts";
import { DECOY } from "./decoy.ts";
import { MISSING_CHECK } from "./missing-check.ts";

/**
 * Loaded only if it is configured. `lazy` never retries, so without a fallback a failure would take down the whole
 * page.
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
  /** The built-in check's token, or the site key with which the browser gets one. Null if neither is available. */
  check: BotCheckToken | null;
};

/** Tells bots from people, without asking people anything, or with Turnstile if that is configured. */
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
