import type { HeartbeatsResult } from "../server/heartbeats/contract.ts";

/** As the product writes numbers: `1.234,5`. */
const numbers = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2 });

/** What became of the beats of one call, in a line, and a line for each reason that some were refused for. */
export function describeResult({ accepted, duplicates, heartbeats, pointsTotal, refused }: HeartbeatsResult): string[] {
  const counted = accepted > 0 || duplicates === 0 ? countBeats(accepted, "counted") : undefined;
  const before = duplicates > 0 ? countBeats(duplicates, "already counted") : undefined;
  const beats = heartbeats === 1 ? "heartbeat" : "heartbeats";
  const total = `${numbers.format(heartbeats)} ${beats}, ${numbers.format(pointsTotal)} PTS`;
  const reasons = Map.groupBy(refused, ({ message }) => message);
  return [
    `${[counted, before].filter(Boolean).join(", ")} · ${total}`,
    ...[...reasons].map(([message, { length }]) => `${countBeats(length, "refused")}: ${message}`),
  ];
}

const countBeats = (count: number, fate: string) =>
  count === 1 ? `beat ${fate}` : `${numbers.format(count)} beats ${fate}`;
