import { useEffect, useState } from "react";
import type { QuestionEntry } from "../../faqs/questions.route.ts";
import type { Place } from "./places.ts";

let known: Place[] | undefined;

/**
 * Returns the questions, which load when the menu is first opened. There are none until then, nor without a response.
 */
export function useQuestions(): Place[] {
  const [questions, setQuestions] = useState(known ?? []);
  useEffect(() => {
    if (known) return undefined;
    const leaving = new AbortController();
    readQuestions(leaving.signal).then(
      (places) => setQuestions((known = places)),
      () => {},
    );
    return () => leaving.abort();
  }, []);
  return questions;
}

async function readQuestions(signal: AbortSignal): Promise<Place[]> {
  const response = await fetch("/faqs/questions", { signal });
  if (!response.ok) throw new Error("The questions did not come");
  const questions: QuestionEntry[] = await response.json();
  return questions.map(({ slug, question, topic }) => ({
    to: `/faqs#${slug}`,
    label: question,
    icon: "help",
    words: topic,
  }));
}
