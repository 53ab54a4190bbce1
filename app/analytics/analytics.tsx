import { useEffect, useState, type ComponentType } from "react";
import { useRouteLoaderData } from "react-router";
import type { Consent } from "./consent.ts";

/** What the document's loader says about measuring; null where nothing is configured. */
export type MeasuringData = { gtmId: string; consent: Consent } | null;

/** Asks whether it may measure, and does so with consent. Without configuration nothing of it is loaded. */
export function Analytics() {
  const measuring = useRouteLoaderData<{ measuring: MeasuringData }>("root")?.measuring;
  const [island, setIsland] = useState<{ Island: ComponentType<{ gtmId: string }> }>();
  const isConfigured = Boolean(measuring);

  useEffect(() => {
    if (!isConfigured) return;
    import("./analytics.island.tsx").then(
      ({ AnalyticsIsland }) => setIsland({ Island: AnalyticsIsland }),
      // Some browsers are told not to load what is called so, and then nothing is measured.
      () => undefined,
    );
  }, [isConfigured]);

  return measuring && island ? <island.Island gtmId={measuring.gtmId} /> : null;
}
