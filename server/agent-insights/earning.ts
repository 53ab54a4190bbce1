import { describePoints, type Decided, type EarningRule, type RuleSettings, type RuleWords } from "../points/rules.ts";
import type { ContentKind } from "./contract.ts";

/** What each item earns, once. */
export const CONTENT_POINTS: Record<ContentKind, number> = { profile: 5, post: 2, comment: 0.5 };

/** Pays for gathered content, since version 2 up to CONTENT_POINTS_PER_DAY. */
export const CONTENT_RULE: EarningRule = {
  source: "content",
  rule: "content-gathered",
  version: 2,
  category: "Others",
  describe: describeContent,
};

const WORDS: Record<ContentKind, [title: string, text: string]> = {
  profile: ["A profile that your node gathered", "Each profile that your node gathers earns"],
  post: ["A post that your node gathered", "Each post that your node gathers earns"],
  comment: ["A comment that your node gathered", "Each comment that your node gathers earns"],
};

function describeContent({ contentPointsPerDay }: RuleSettings, { sourceId }: Decided): RuleWords {
  const kind = sourceId.split(":")[0] ?? "";
  const cap = `All that it gathers on one day (UTC) earns ${describePoints(contentPointsPerDay)} at most.`;
  if (!isContent(kind)) {
    const text = `Gathered content earns points, once. ${cap}`;
    return { title: "Content that your node gathered", text, points: null };
  }
  const [title, text] = WORDS[kind];
  const points = CONTENT_POINTS[kind];
  return { title, text: `${text} ${describePoints(points)}, once. ${cap}`, points };
}

const isContent = (kind: string): kind is ContentKind => Object.hasOwn(WORDS, kind);
