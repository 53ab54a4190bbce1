import type { PointsRules } from "../../server/points/contract.ts";

/** The slug is the answer's address: it stays as it is whatever becomes of the words. */
export type Question = {
  slug: string;
  question: string;
  /** What else people type who look for it. Searched, and not shown. */
  words: string;
  /** The address of an answer that is part of this one now. */
  formerly?: string;
};

/** A question, with its answer or with what makes it of the rules and what to say without them. */
export type Entry = Question &
  ({ answer: string; general?: undefined } | { answer: (rules: PointsRules) => string; general: string });
