import type { PointsRules } from "../../server/points/contract.ts";

/** A question. Its slug is the address of the answer, and stays the same even if the words change. */
export type Question = {
  slug: string;
  question: string;
  /** What else people type who look for it. It is searched, but not shown. */
  words: string;
  /** The slug of an answer that is part of this one now. */
  formerly?: string;
};

/** A question with its answer. The answer may depend on the rules: then `general` is what to say without them. */
export type Entry = Question &
  ({ answer: string; general?: undefined } | { answer: (rules: PointsRules) => string; general: string });
