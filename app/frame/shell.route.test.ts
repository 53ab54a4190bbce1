import { afterEach, beforeEach, expect, test } from "vitest";
import type { ShouldRevalidateFunctionArgs } from "react-router";
import { getBrowserQueryClient } from "../cache/query-client.ts";
import type { Read } from "../cache/read.ts";
import { onboardedQuery } from "../member/reads.ts";
import { memberReads } from "./member-reads.ts";
import { shouldRevalidate } from "./shell.route.tsx";

const client = getBrowserQueryClient();
const read: Read = () => Promise.reject(new Error("not read here"));
const onboarded = onboardedQuery(read).queryKey;

beforeEach(() => {
  for (const { queryKey } of memberReads(read)) client.setQueryData(queryKey, {});
});
afterEach(() => client.clear());

/** Returns whether moving from the questions to the dashboard asks the server for what the shell shows. */
function asksAgain(): boolean {
  const [currentUrl, nextUrl] = ["/faqs", "/dashboard"].map((path) => new URL(path, "http://localhost"));
  const args: Partial<ShouldRevalidateFunctionArgs> = { currentUrl, nextUrl, defaultShouldRevalidate: true };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the router's arguments, as far as they are read
  return shouldRevalidate(args as ShouldRevalidateFunctionArgs);
}

test("navigation does not reload data that is still fresh", () => {
  client.setQueryData(onboarded, { success: true });
  expect(asksAgain()).toBe(false);
  client.removeQueries({ queryKey: onboarded });
  expect(asksAgain()).toBe(true);
});

// specification: 2.9, 4.10
test("navigation reloads even fresh data until the member is onboarded", () => {
  client.setQueryData(onboarded, { success: false });
  expect(asksAgain()).toBe(true);
});
