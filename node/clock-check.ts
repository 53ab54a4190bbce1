import { MAX_AGE_MS } from "../server/heartbeats/beat-window.ts";
import { formatWait, type RetryContext } from "./retry.ts";

/** How far a clock may be behind, in milliseconds. No call takes that long. */
const MAY_BE_BEHIND = 5 * 60_000;

/**
 * Reports once that this machine's clock is behind the server's, and again only after it was right in between. Unless it
 * is very far behind, its beats count, but the member's pages show the node as silent. If the clock is ahead, the server
 * says so.
 */
export function createClockCheck({ clock, report }: Pick<RetryContext, "clock" | "report">) {
  let isReported = false;
  return (serverTime: Date) => {
    const behind = serverTime.getTime() - clock.now().getTime();
    const isBehind = behind > MAY_BE_BEHIND;
    if (isBehind && !isReported) {
      const problem = `this machine's clock is ${formatWait(behind)} behind the server's`;
      const effect = behind > MAX_AGE_MS ? "do not count" : "count for times already past";
      report(`${problem}: its heartbeats ${effect}. Set the clock.`);
    }
    isReported = isBehind;
  };
}
