import type { QueryClient } from "@tanstack/react-query";
import type { UserStats } from "../../server/points/contract.ts";
import { formatCount } from "../ui/number/number.ts";
import { statsQuery } from "../points/reads.ts";
import { refreshAll } from "./live-reads.ts";
import { live } from "./live-state.ts";

/** How long to collect totals, in milliseconds, so that only the last one is announced. */
const ANNOUNCE_AFTER = 3000;

/** Announces new totals. While no live news arrives, new stats are a sign that more has changed. */
export function watchStats(client: QueryClient, spoken: HTMLElement | null, signal: AbortSignal): void {
  let known = client.getQueryData<UserStats>([statsQuery.path, {}]);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function announce() {
    timer = undefined;
    if (spoken && known) spoken.textContent = formatCount(known.points_total, "point");
  }

  const stop = client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.query.queryKey[0] !== statsQuery.path) return;
    const stats: UserStats | undefined = event.query.state.data;
    const before = known;
    known = stats;
    if (!before || !stats || before === stats) return;
    // Stats that came with a page came with everything else on it.
    if (event.action.type === "success" && !live.get()) refreshAll(client);
    if (before.points_total !== stats.points_total) timer ??= setTimeout(announce, ANNOUNCE_AFTER);
  });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    stop();
  });
}
