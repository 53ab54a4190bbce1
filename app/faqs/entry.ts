import type { PointsRules } from "../../server/points/contract.ts";

/** The slug is the answer's address: it stays as it is whatever becomes of the words. */
type Question = { slug: string; question: string };

/** A question, with its answer or with what makes it of the rules and what to say without them. */
export type Entry = Question &
  ({ answer: string; general?: undefined } | { answer: (rules: PointsRules) => string; general: string });
