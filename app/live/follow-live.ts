import type { QueryClient } from "@tanstack/react-query";
import { countUp } from "../ui/number/count-up-motion.ts";
import { setMotion } from "../ui/number/count-up.tsx";
import { LiveTab } from "./live-tab.ts";
import { watchStats } from "./watch-stats.ts";

type LiveOptions = {
  member: string;
  client: QueryClient;
  /** Where new totals are said. */
  spoken: HTMLElement | null;
  signal: AbortSignal;
};

/** Follows the member's news whenever the tab is visible and online, until told to stop. */
export function followLive({ member, client, spoken, signal }: LiveOptions): void {
  if (signal.aborted) return;
  setMotion(countUp);
  const tab = new LiveTab(member, client);
  const adapt = () => tab.follow(document.visibilityState === "visible" && navigator.onLine);
  document.addEventListener("visibilitychange", adapt, { signal });
  for (const type of ["online", "offline", "pageshow"]) addEventListener(type, adapt, { signal });
  // A page that may be shown again just as it is (bfcache) must hold neither lock nor connection.
  addEventListener("pagehide", () => tab.follow(false), { signal });
  signal.addEventListener("abort", () => tab.close());
  watchStats(client, spoken, signal);
  adapt();
}
