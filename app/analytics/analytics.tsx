import { useEffect, useState, type ComponentType } from "react";
import { useRouteLoaderData } from "react-router";
import type { Consent } from "./consent.ts";

/** What the document's loader says about measuring, or null if nothing is configured. */
export type MeasuringData = { gtmId: string; consent: Consent } | null;

/** Asks whether it may measure, and measures with consent. None of this is loaded without configuration. */
export function Analytics() {
  const measuring = useRouteLoaderData<{ measuring: MeasuringData }>("root")?.measuring;
  const [island, setIsland] = useState<{ Island: ComponentType<{ gtmId: string }> }>();
  const isConfigured = Boolean(measuring);

  useEffect(() => {
    if (!isConfigured) return;
    import("./analytics.island.tsx").then(
      ({ AnalyticsIsland }) => setIsland({ Island: AnalyticsIsland }),
      // Some browsers block files with such a name. Then nothing is measured.
      () => undefined,
    );
  }, [isConfigured]);

  return measuring && island ? <island.Island gtmId={measuring.gtmId} /> : null;
}
