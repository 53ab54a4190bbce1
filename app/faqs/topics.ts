import type { PointsRules } from "../../server/points/contract.ts";
import { accountQuestions } from "./account-questions.ts";
import type { Entry } from "./entry.ts";
import { machineQuestions } from "./machine-questions.ts";
import { pointsQuestions } from "./points-questions.ts";

export type Answered = { slug: string; question: string; answer: string };
export type Topic = { title: string; questions: Answered[] };

/** The questions by topic, answered with this installation's rules; in general terms while nobody can ask for those. */
export function answerQuestions(rules: PointsRules | null, { isMeasured }: { isMeasured: boolean }): Topic[] {
  const topics: Record<string, Entry[]> = { ...pointsQuestions, ...machineQuestions, ...accountQuestions(isMeasured) };
  return Object.entries(topics).map(([title, entries]) => ({
    title,
    questions: entries.map((entry) => ({ slug: entry.slug, question: entry.question, answer: tell(entry, rules) })),
  }));
}

function tell(entry: Entry, rules: PointsRules | null): string {
  if (entry.general === undefined) return entry.answer;
  return rules ? entry.answer(rules) : entry.general;
}
