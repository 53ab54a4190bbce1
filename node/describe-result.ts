import type { HeartbeatsResult } from "../server/heartbeats/contract.ts";
import { toLine } from "../server/http/visible-text.ts";
import { formatPoints } from "../server/points/rules.ts";

type Result = Omit<HeartbeatsResult, "refused"> & { refused: Pick<HeartbeatsResult["refused"][number], "message">[] };

/** Describes what became of the beats of one call: a line for all, and one for each reason for a refusal. */
export function describeResult({ accepted, duplicates, heartbeats, pointsTotal, refused }: Result): string[] {
  const counted = accepted > 0 || duplicates === 0 ? countBeats(accepted, "counted") : undefined;
  const before = duplicates > 0 ? countBeats(duplicates, "already counted") : undefined;
  const beats = heartbeats === 1 ? "heartbeat" : "heartbeats";
  const total = `${formatPoints(heartbeats)} ${beats}, ${formatPoints(pointsTotal)} PTS`;
  const messages = new Set(refused.map(({ message }) => message));
  return [
    `${[counted, before].filter(Boolean).join(", ")} · ${total}`,
    ...Array.from(messages, (message) => {
      const { length } = refused.filter((each) => each.message === message);
      return `${countBeats(length, "refused")}: ${toLine(message)}`;
    }),
  ];
}

const countBeats = (count: number, fate: string) =>
  count === 1 ? `heartbeat ${fate}` : `${formatPoints(count)} heartbeats ${fate}`;
