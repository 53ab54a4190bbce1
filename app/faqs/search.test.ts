import * as fc from "fast-check";
import { expect, test } from "vitest";
import { searchTopics, splitByWords, toMarks } from "./search.ts";
import { answerQuestions } from "./topics.ts";

const TOPICS = [
  {
    title: "Points",
    questions: [
      { slug: "earn", question: "How do I earn points?", answer: "By heartbeats (25 each).", words: "income" },
    ],
  },
  {
    title: "Wallet",
    questions: [
      { slug: "link", question: "Why link a wallet?", answer: "It earns you a Machine ID.", words: "metamask" },
    ],
  },
];

const slugs = (query: string) =>
  searchTopics(TOPICS, query).flatMap(({ questions }) => questions.map(({ slug }) => slug));

test("finds a question if all words are in its text, its answer or its topic", () => {
  expect(slugs("")).toEqual(["earn", "link"]);
  expect(slugs("  EARN ")).toEqual(["earn", "link"]);
  expect(slugs("earn heartbeats")).toEqual(["earn"]);
  expect(slugs("wallet machine")).toEqual(["link"]);
  expect(slugs("heartbeats machine")).toEqual([]);
  expect(slugs("(25")).toEqual(["earn"]);
});

test("ignores filler words unless there are no others, and matches other forms of a word", () => {
  expect(slugs("how do I get income?")).toEqual(["earn"]);
  expect(slugs("linking wallets")).toEqual(["link"]);
  expect(slugs("earned")).toEqual(["earn", "link"]);
  expect(slugs("why")).toEqual(["link"]);
  expect(toMarks("Linking a wallet")).toEqual(["linking", "wallet", "link"]);
});

const ALL = answerQuestions(null, { isMeasured: true });

test.each([
  ["close my account", "delete-account"],
  ["unsubscribe", "campaign-mail"],
  ["seed phrase", "wallet-keys"],
  ["metamask", "link-wallet"],
  ["pending referral", "referral-reward"],
  ["IP", "network-address"],
  ["forgot password", "reset-password"],
  ["change email address", "change-email"],
  ["iphone app", "mobile"],
  ["gdpr", "own-data"],
  ["time zone", "day-begins"],
  ["two computers", "two-machines"],
  ["cookies", "measuring"],
])("“%s” finds %s", (query, slug) => {
  const found = searchTopics(ALL, query).flatMap(({ questions }) => questions.map((each) => each.slug));
  expect(found).toContain(slug);
  expect(found.length).toBeLessThan(6);
});

test("leaves out a topic without a match", () => {
  expect(searchTopics(TOPICS, "machine").map(({ title }) => title)).toEqual(["Wallet"]);
});

test("the parts of a text add up to it, and exactly those that match are marked", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "B", "(", ".", "$", " ", "é"), maxLength: 12 });
  fc.assert(
    fc.property(letters, letters, (text, query) => {
      const words = toMarks(query);
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
