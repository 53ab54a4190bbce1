import * as fc from "fast-check";
import { expect, test } from "vitest";
import { searchTopics, splitByWords, toWords } from "./search.ts";

const TOPICS = [
  {
    title: "Points",
    questions: [{ slug: "earn", question: "How do I earn points?", answer: "By heartbeats (25 each)." }],
  },
  {
    title: "Wallet",
    questions: [{ slug: "link", question: "Why link a wallet?", answer: "It earns you a Machine ID." }],
  },
];

const slugs = (query: string) =>
  searchTopics(TOPICS, query).flatMap(({ questions }) => questions.map(({ slug }) => slug));

test("a question is found by its words, by its answer's and by its topic's, all of them together", () => {
  expect(slugs("")).toEqual(["earn", "link"]);
  expect(slugs("  EARN ")).toEqual(["earn", "link"]);
  expect(slugs("earn heartbeats")).toEqual(["earn"]);
  expect(slugs("wallet machine")).toEqual(["link"]);
  expect(slugs("heartbeats machine")).toEqual([]);
  expect(slugs("(25")).toEqual(["earn"]);
});

test("a topic without a match is left out", () => {
  expect(searchTopics(TOPICS, "machine").map(({ title }) => title)).toEqual(["Wallet"]);
});

test("the parts of a text are the text, and those that match are one of the words", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "B", "(", ".", "$", " ", "é"), maxLength: 12 });
  fc.assert(
    fc.property(letters, letters, (text, query) => {
      const words = toWords(query);
      const parts = splitByWords(text, words);
      expect(parts.map((part) => part.text).join("")).toBe(text);
      expect(parts.filter((part) => text.slice(part.at, part.at + part.text.length) !== part.text)).toEqual([]);
      const matches = parts.filter(({ isMatch }) => isMatch).map((part) => part.text.toLowerCase());
      expect(matches.filter((match) => !words.includes(match))).toEqual([]);
      const rest = parts.filter(({ isMatch }) => !isMatch).map((part) => part.text.toLowerCase());
      expect(rest.filter((between) => words.some((word) => between.includes(word)))).toEqual([]);
    }),
  );
});
