import { formatWait, type Patience } from "./persist.ts";

/** Milliseconds by which a clock may be behind: no call takes as long. */
const MAY_BE_BEHIND = 5 * 60_000;

/**
 * Says once that this machine's clock is behind the server's, until it is no more: its beats count, and the member's
 * pages show the node as silent all the same. That it is ahead, the server says.
 */
export function createClockCheck({ clock, report }: Pick<Patience, "clock" | "report">) {
  let isTold = false;
  return (serverTime: Date) => {
    const behind = serverTime.getTime() - clock.now().getTime();
    const isBehind = behind > MAY_BE_BEHIND;
    if (isBehind && !isTold) {
      const problem = `this machine's clock is ${formatWait(behind)} behind the server's`;
      report(`${problem}: its heartbeats count for times already past. Set the clock.`);
    }
    isTold = isBehind;
  };
}
