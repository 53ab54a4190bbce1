import type { Env } from "../env.ts";
import type { PointsCategory } from "./contract.ts";

/**
 * A rule that decides points. Every ledger row names its rule and version. A rule whose amount or meaning changes gets
 * a new version, so that old rows still say what decided them.
 */
export type PointsRule = {
  /** The kind of event. Together with the event's id, it is unique per member. */
  source: string;
  rule: string;
  version: number;
  category: PointsCategory;
};

/** The settings that rules depend on. */
export type RuleSettings = Pick<Env, "pointsPerHeartbeat" | "heartbeatIntervalSeconds" | "contentPointsPerDay">;

/** The parts of a ledger row that the description of its rule depends on. */
export type Decided = {
  rule: string;
  ruleVersion: number;
  sourceId: string;
  points: number;
  campaignPoints: number | null;
};

export type RuleWords = {
  /** The kind of event that the rule is about. */
  title: string;
  text: string;
  /** What the rule gives today. Null if it names no amount. */
  points: number | null;
};

/** A rule as its feature declares it: what its ledger rows contain, and how to describe it to a member. */
export type EarningRule = PointsRule & { describe: (settings: RuleSettings, row: Decided) => RuleWords };

/** Points that a member brought from before the ledger. */
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

/** Points that an operator gives or takes. The row's comment says why. */
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

/** Describes the rule behind a row to a member. Returns undefined for a rule that this version does not know. */
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

/** Formats points with their unit: `1 point`, `1.234,5 points`. */
export const describePoints = (points: number): string =>
  `${formatPoints(points)} ${Math.abs(points) === 1 ? "point" : "points"}`;

/** Formats points as `1.234,5`, as members read numbers everywhere. */
export const formatPoints = (points: number): string =>
  new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2 }).format(points);
