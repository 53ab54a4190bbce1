import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ScrambledTitle, scrambleFrom } from "./scrambled-title.tsx";

test("renders the readable title as the heading", () => {
  expect(renderToStaticMarkup(<ScrambledTitle text="Help & FAQs" />)).toMatch(/^<h1[^>]*>Help &amp; FAQs<\/h1>$/);
});

// specification: 2.37
test("the scramble is as long as the title, settles from the left, and keeps its spaces", () => {
  const scrambled = scrambleFrom("Your Referrals", 3);
  expect(scrambled).toMatch(/^You[a-z\d] [a-z\d]{9}$/);
  expect(scrambleFrom("Your Referrals", 14)).toBe("Your Referrals");
});
