import type { PointsRules } from "../../server/points/contract.ts";
import { accountQuestions } from "./account-questions.ts";
import type { Entry, Question } from "./entry.ts";
import { machineQuestions } from "./machine-questions.ts";
import { pointsQuestions } from "./points-questions.ts";

export type AnsweredQuestion = Question & { answer: string };
export type Topic = { title: string; questions: AnsweredQuestion[] };

/**
 * Returns the questions by topic. The answers follow this installation's rules, or are general while the rules are not
 * available.
 */
export function answerQuestions(rules: PointsRules | null, { isMeasured }: { isMeasured: boolean }): Topic[] {
  const topics: Record<string, Entry[]> = { ...pointsQuestions, ...machineQuestions, ...accountQuestions(isMeasured) };
  return Object.entries(topics).map(([title, entries]) => ({
    title,
    questions: entries.map((entry) => toAnswered(entry, rules)),
  }));
}

function toAnswered({ slug, question, words, formerly, ...entry }: Entry, rules: PointsRules | null): AnsweredQuestion {
  const answer = entry.general === undefined ? entry.answer : rules ? entry.answer(rules) : entry.general;
  return { slug, question, words, ...(formerly && { formerly }), answer };
}
