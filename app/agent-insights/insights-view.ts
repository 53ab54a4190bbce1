/** How many days the charts go back. */
export const RANGES = [7, 30, 90] as const;
export type InsightsView = { days: (typeof RANGES)[number] };

const USUAL: InsightsView["days"] = 30;

/** Reads the view from a query string. Invalid values get their defaults. */
export const readInsightsView = (params: URLSearchParams): InsightsView => ({
  days: RANGES.find((days) => String(days) === params.get("range")) ?? USUAL,
});

export const insightsHref = ({ days }: InsightsView): string =>
  days === USUAL ? "/agentinsights" : `/agentinsights?range=${days}`;
