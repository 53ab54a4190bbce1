import type { QueryClient } from "@tanstack/react-query";
import { readConnection, watchConnection } from "../cache/connection.ts";
import { LiveTab } from "./live-tab.ts";
import { watchStats } from "./watch-stats.ts";

type LiveOptions = {
  member: string;
  client: QueryClient;
  /** Where new totals are announced. */
  spoken: HTMLElement | null;
  signal: AbortSignal;
};

/** Follows the member's news while the tab is visible and online, until the signal is aborted. */
export function followLive({ member, client, spoken, signal }: LiveOptions): void {
  if (signal.aborted) return;
  const tab = new LiveTab(member, client);
  const adapt = () => tab.follow(document.visibilityState === "visible" && readConnection() !== "offline");
  // A lost stream is requested again as soon as the server can be reached.
  const recover = () => {
    adapt();
    if (readConnection() === "online") tab.recover();
  };
  document.addEventListener("visibilitychange", adapt, { signal });
  addEventListener("pageshow", adapt, { signal });
  const end = watchConnection(recover);
  // A page that may be restored just as it is (bfcache) must hold neither lock nor connection.
  addEventListener("pagehide", () => tab.follow(false), { signal });
  signal.addEventListener("abort", () => {
    end();
    tab.close();
  });
  watchStats(client, spoken, signal);
  adapt();
}
