import type { ContentKind } from "../agent-insights/contract.ts";
import type { Env } from "../env.ts";
import { HEARTBEATS_REQUIRED } from "../machine-id/contract.ts";
import { AMOUNTS, RULES, type PointsRule } from "./rules.ts";

type Settings = Pick<Env, "pointsPerHeartbeat" | "heartbeatIntervalSeconds" | "contentPointsPerDay">;

/** The row that a rule decided, as far as the words depend on it. */
type Decided = { rule: string; ruleVersion: number; sourceId: string; points: number; campaignPoints: number | null };

export type RuleWords = {
  /** The kind of event that the rule answers. */
  title: string;
  text: string;
  /** What the rule gives today; null where it names no amount. */
  points: number | null;
};

type Describe = (settings: Settings, row: Decided) => RuleWords;

/** The rules as a member understands them, by their names in the ledger. */
const WORDS: Record<(typeof RULES)[keyof typeof RULES]["rule"] | "reversal", Describe> = {
  "points-per-heartbeat": ({ heartbeatIntervalSeconds, pointsPerHeartbeat }) => ({
    title: "Heartbeat of your node",
    text: `Each heartbeat that counts earns ${format(pointsPerHeartbeat)} points. One counts in each interval of ${describeSeconds(heartbeatIntervalSeconds)}, whichever machine sent it.`,
    points: pointsPerHeartbeat,
  }),
  "referral-joined": () => ({
    title: "You joined with a friend's link",
    text: `Who joins with a friend's link starts with ${format(AMOUNTS.referralJoined)} extra points.`,
    points: AMOUNTS.referralJoined,
  }),
  "referral-claimed": () => ({
    title: "A friend joined with your link",
    text: `A friend who has sent ${format(HEARTBEATS_REQUIRED)} heartbeats and linked a wallet earns you ${format(AMOUNTS.referralClaimed)} points, once you claim them.`,
    points: AMOUNTS.referralClaimed,
  }),
  "campaign-bonus": (_, { campaignPoints }) => ({
    title: "A reward that you claimed",
    text: `A reward that is completed gives the points it names${campaignPoints === null ? "" : `, ${format(campaignPoints)}`}, once you claim them.`,
    points: campaignPoints,
  }),
  "heartbeat-reward": () => ({
    title: "The reward for your first heartbeats",
    text: `After the first ${format(HEARTBEATS_REQUIRED)} heartbeats you can claim ${format(AMOUNTS.heartbeatReward)} points, once.`,
    points: AMOUNTS.heartbeatReward,
  }),
  "content-gathered": describeContent,
  "genesis-snapshot": () => ({
    title: "What you brought along",
    text: "Points from before this log began were counted once, when it began.",
    points: null,
  }),
  reversal: () => ({
    title: "A correction",
    text: "Nothing in the log is ever changed. What was counted by mistake is taken back by a row of its own, of the same amount.",
    points: null,
  }),
};

const CONTENT: Record<ContentKind, [title: string, text: string]> = {
  profile: ["A profile that your node gathered", "Each profile that your node gathers earns"],
  post: ["A post that your node gathered", "Each post that your node gathers earns"],
  comment: ["A comment that your node gathered", "Each comment that your node gathers earns"],
};

function describeContent({ contentPointsPerDay }: Settings, { sourceId }: Decided): RuleWords {
  const kind = sourceId.split(":")[0] ?? "";
  const cap = `All that it gathers on one day (UTC) earns ${format(contentPointsPerDay)} points at most.`;
  if (!isContent(kind)) {
    const text = `Gathered content earns points, once. ${cap}`;
    return { title: "Content that your node gathered", text, points: null };
  }
  const [title, text] = CONTENT[kind];
  const points = AMOUNTS.content[kind];
  return { title, text: `${text} ${format(points)} points, once. ${cap}`, points };
}

const isContent = (kind: string): kind is ContentKind => Object.hasOwn(CONTENT, kind);

const CURRENT = new Map<string, PointsRule>(Object.values(RULES).map((rule) => [rule.rule, rule]));

/** Undefined for a rule that this version of the product does not know. */
export function describeRule(settings: Settings, row: Decided): RuleWords | undefined {
  if (!isKnown(row.rule)) return undefined;
  const words = WORDS[row.rule](settings, row);
  const isEarlier = row.ruleVersion < (CURRENT.get(row.rule)?.version ?? row.ruleVersion);
  if (!isEarlier && (words.points === null || words.points === row.points)) return words;
  return { ...words, text: `${words.text} When this row was posted the rule gave ${format(row.points)}.` };
}

const isKnown = (rule: string): rule is keyof typeof WORDS => Object.hasOwn(WORDS, rule);

/** `1.234,5`, as members read numbers everywhere. */
const format = (points: number) => new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2 }).format(points);

/** `15 minutes`, `30 seconds`. */
function describeSeconds(seconds: number): string {
  const [value, unit] = seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return new Intl.NumberFormat("en-GB", { style: "unit", unit, unitDisplay: "long" }).format(value);
}
