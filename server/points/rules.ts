import type { Env } from "../env.ts";
import type { PointsCategory } from "./contract.ts";

/**
 * What decides points. Every ledger row names its rule and version; a rule that changes its amount or its meaning
 * gets the next version, so that old rows keep saying what decided them.
 */
export type PointsRule = {
  /** The kind of event: with the event's own id unique for a member. */
  source: string;
  rule: string;
  version: number;
  category: PointsCategory;
};

/** The settings that rules depend on. */
export type RuleSettings = Pick<Env, "pointsPerHeartbeat" | "heartbeatIntervalSeconds" | "contentPointsPerDay">;

/** The row that a rule decided, as far as the words depend on it. */
export type Decided = {
  rule: string;
  ruleVersion: number;
  sourceId: string;
  points: number;
  campaignPoints: number | null;
};

export type RuleWords = {
  /** The kind of event that the rule answers. */
  title: string;
  text: string;
  /** What the rule gives today; null where it names no amount. */
  points: number | null;
};

/** A rule as its feature declares it: what its rows say, and how a member is told of it. */
export type EarningRule = PointsRule & { describe: (settings: RuleSettings, row: Decided) => RuleWords };

/** What a member brought along from before the ledger. */
export const GENESIS_RULE: EarningRule = {
  source: "genesis",
  rule: "genesis-snapshot",
  version: 1,
  category: "Others",
  describe: () => ({
    title: "Points from before this log",
    text: "What you had earned before this log began was added to it once.",
    points: null,
  }),
};

/** What an operator gives or takes, for a reason that the row itself says. */
export const ADJUSTMENT_RULE: EarningRule = {
  source: "adjustment",
  rule: "operator-adjustment",
  version: 1,
  category: "Others",
  describe: () => ({
    title: "An adjustment",
    text: "The people who run this network gave or took these points. The comment says why.",
    points: null,
  }),
};

/** Tells a member of the rule behind a row; undefined for one that this version of the product does not know. */
export type RuleBook = (settings: RuleSettings, row: Decided) => RuleWords | undefined;

export function createRuleBook(rules: readonly EarningRule[]): RuleBook {
  const known = new Map(rules.map((rule) => [rule.rule, rule]));
  return (settings, row) => {
    const rule = known.get(row.rule);
    if (!rule) return undefined;
    const words = rule.describe(settings, row);
    const isEarlier = row.ruleVersion < rule.version;
    if (!isEarlier && (words.points === null || words.points === row.points)) return words;
    return { ...words, text: `${words.text} When this entry was posted, the rule gave ${formatPoints(row.points)}.` };
  };
}

/** `1 point`, `1.234,5 points`. */
export const describePoints = (points: number): string =>
  `${formatPoints(points)} ${Math.abs(points) === 1 ? "point" : "points"}`;

/** `1.234,5`, as members read numbers everywhere. */
export const formatPoints = (points: number): string =>
  new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2 }).format(points);
