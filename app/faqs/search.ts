import type { Topic } from "./topics.ts";

/** The words of a query, in lower case; the longest first, so that `mark` finds them whole. */
export function toWords(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(words)].toSorted((one, other) => other.length - one.length);
}

/** The topics with those questions alone that hold every word, in the question, its answer or the topic's title. */
export function searchTopics(topics: Topic[], query: string): Topic[] {
  const words = toWords(query);
  return topics
    .map(({ title, questions }) => ({
      title,
      questions: questions.filter(({ question, answer }) => {
        const text = `${title} ${question} ${answer}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ questions }) => questions.length > 0);
}

type Part = { text: string; at: number; isMatch: boolean };

/** A text in parts: those that match one of the words, and what stands between them. */
export function splitByWords(text: string, words: readonly string[]): Part[] {
  if (words.length === 0) return [{ text, at: 0, isMatch: false }];
  const pattern = new RegExp(`(${words.map(escapePattern).join("|")})`, "gi");
  let at = 0;
  // Split by a group, every second part is what the group matched.
  return text.split(pattern).map((part, index) => {
    const found = { text: part, at, isMatch: index % 2 === 1 };
    at += part.length;
    return found;
  });
}

/** RegExp.escape is newer than some browsers that we serve. */
const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
