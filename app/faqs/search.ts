import type { Topic } from "./topics.ts";

/** Words that occur in any question and say nothing about its subject. */
const FILLERS = new Set(
  "a about am an and any are as at be by can could do does for from get has have how i if in is it its me my of on or please should so that the there this to was we what when where which who why will with would you your".split(
    " ",
  ),
);

/** Returns the words of a query in lowercase, without fillers. Keeps the fillers if there is nothing else. */
function toWords(query: string): string[] {
  const all = query
    .toLowerCase()
    .split(/[\s?!,;:“”"]+/)
    .filter(Boolean);
  const significant = all.filter((word) => !FILLERS.has(word));
  return significant.length > 0 ? significant : all;
}

/** Returns the beginning that the forms of a word share: `delet` for delete, deleted and deleting. */
const stem = (word: string) => (word.length > 4 ? word.replace(/(?:ing|ed|es|e|s)$/, "") : word);

/**
 * Returns what to mark for a query: its words, and what they share with their other forms. The longest come first, so
 * that `splitByWords` finds them whole.
 */
export function toMarks(query: string): string[] {
  const words = toWords(query);
  return [...new Set([...words, ...words.map(stem)])].toSorted((one, other) => other.length - one.length);
}

/**
 * Returns the topics with only those questions that contain every word of a query in some form: in the question, its
 * answer, what else people type for it, or the topic's title.
 */
export function searchTopics(topics: Topic[], query: string): Topic[] {
  const stems = toWords(query).map(stem);
  return topics
    .map(({ title, questions }) => ({
      title,
      questions: questions.filter(({ question, answer, words }) => {
        const text = `${title} ${question} ${answer} ${words}`.toLowerCase();
        return stems.every((each) => text.includes(each));
      }),
    }))
    .filter(({ questions }) => questions.length > 0);
}

type Part = { text: string; at: number; isMatch: boolean };

/** Splits a text into parts that match one of the words, and the parts between them. */
export function splitByWords(text: string, words: readonly string[]): Part[] {
  if (words.length === 0) return [{ text, at: 0, isMatch: false }];
  const pattern = new RegExp(`(${words.map(escapePattern).join("|")})`, "gi");
  let at = 0;
  // When split by a group, every second part is a match.
  return text.split(pattern).map((part, index) => {
    const found = { text: part, at, isMatch: index % 2 === 1 };
    at += part.length;
    return found;
  });
}

/** Escapes a text for a pattern. Some browsers that we support do not have RegExp.escape. */
const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
