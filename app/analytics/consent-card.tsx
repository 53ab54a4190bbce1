import { Button } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { saveConsent, useConsent, useMeasuring } from "./use-consent.ts";

/**
 * Shows the choice about measuring, and changes it. Without a script, nothing is measured, and there is no choice to
 * make.
 */
export function ConsentCard() {
  const isConfigured = useMeasuring() !== null;
  const isAllowed = useConsent() === "granted";
  if (!isConfigured) return null;
  return (
    <Card title="Analytics" className="noscript:hidden">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-2">
          {isAllowed
            ? "You allow us to measure how these pages are used."
            : "Your visits are not measured: you have not allowed it."}
        </p>
        <Button onClick={() => saveConsent(isAllowed ? "denied" : "granted")}>
          {isAllowed ? "Stop measuring" : "Allow measuring"}
        </Button>
      </div>
    </Card>
  );
}
