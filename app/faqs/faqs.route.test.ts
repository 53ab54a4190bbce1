import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { readPointsRules } from "../../server/points/contract.ts";
import { answerQuestions } from "./topics.ts";

const database = await createTestDatabase();
const api = createTestApi(database, { env: { pointsPerHeartbeat: 12_345, heartbeatIntervalSeconds: 7 * 60 } });
afterAll(() => database.close());

describePages(database, api, ({ pages }) => {
  test("the answers contain the configured figures of this installation", async () => {
    const { status, html, text } = await readPage(createVisitor(pages), "/faqs");

    expect(status).toBe(200);
    // The address of an answer that is part of another one now.
    expect(html).toMatch(/<details[^>]*>(?:(?!<\/details>).)*id="pending-referral"/);
    expect(text).toContain("each one that counts earns 12.345 points");
    expect(text).toContain("One heartbeat counts every 7 minutes");
    expect(text).toContain("starts with 1.000 extra points");
    expect(text).toContain("has sent 100 heartbeats and linked a wallet");
    expect(text).toContain("your personal code of 5 characters");
    expect(text).toContain("A code has 6 digits and works for 1 day. You have 5 tries.");
    expect(text).toContain("A session ends after 14 days without use and after 30 days at the latest");
  });

  test("the command menu gets every question of the page with its address", async () => {
    const visitor = createVisitor(pages);
    const response = await visitor.get("/faqs/questions");
    const asked = (await response.json()) as { slug: string; question: string; topic: string }[];
    const { html } = await readPage(visitor, "/faqs");
    const slugs = Array.from(html.matchAll(/<details[^>]*>.*?<div id="([a-z-]+)"/gs), ([, slug]) => slug);
    expect(asked.map(({ slug }) => slug)).toEqual(slugs);
    expect(asked).toContainEqual({
      slug: "referral-reward",
      question: "When do I get points for inviting a friend?",
      topic: "Referrals",
    });
  });

  test("without a script, the address of a search marks the matches and says how many there are", async () => {
    const visitor = createVisitor(pages);
    const all = await readPage(visitor, "/faqs");
    const { html, text } = await readPage(visitor, "/faqs?q=Wallet+ONCE");

    const total = /(\d+) questions/.exec(all.text)?.[1];
    expect(text).toMatch(new RegExp(`\\b[2-9] of ${total} questions match “Wallet ONCE”`));
    expect(html).toMatch(/<details open=""[^>]*>(?:(?!<\/details>).)*<mark[^>]*>wallet<\/mark>/);
    expect(text).toContain("Can I change my wallet ?");
    expect(text).not.toContain("When does a day begin");
    expect(html).toContain('value="Wallet ONCE"');
  });

  test.each(["install", "start", "start node", "command", "key"])(
    "a search for “%s” finds how to start a node",
    async (words) => {
      const { text } = await readPage(createVisitor(pages), `/faqs?q=${encodeURIComponent(words)}`);
      expect(text.replaceAll(/\s+/g, " ")).toMatch(/How do I ?start ?my ?node ?\?/);
    },
  );

  test("a search that finds one question says so in the singular", async () => {
    const { text } = await readPage(createVisitor(pages), "/faqs?q=unsubscribe");
    expect(text).toMatch(/\b1 of \d+ questions matches “unsubscribe”/);
  });

  test("a search that finds nothing links to all questions", async () => {
    const { html, text } = await readPage(createVisitor(pages), "/faqs?q=%3Cscript%3Ezzz");
    expect(text).toContain("No answer matches");
    expect(html).toMatch(/<a [^>]*href="\/faqs"[^>]*>Show all questions/);
    expect(html).not.toContain("<script>zzz");
  });

  test.each([
    ["is out of reach", () => Response.error()],
    ["does not know the call", () => Response.json({ message: "No", error: "NOT_FOUND" }, { status: 404 })],
    ["returns something else", () => Response.json({ pointsPerHeartbeat: "many" })],
  ])("shows the answers without the API's figures if the API %s", async (_, answer) => {
    pages.override(readPointsRules, answer);
    const { status, text } = await readPage(createVisitor(pages), "/faqs");
    expect(status).toBe(200);
    expect(text).toContain("each one that counts earns points");
    expect(text).not.toMatch(/undefined|NaN|null/);
    expect(pages.log.error).toHaveBeenCalled();
  });
});

test("the answers use the singular if a heartbeat earns one point", () => {
  const rules = {
    pointsPerHeartbeat: 1,
    heartbeatIntervalSeconds: 900,
    lateHeartbeatSeconds: 604_800,
    heartbeatsRequired: 100,
    heartbeatReward: 500,
    referralPoints: 1000,
    contentPoints: { profile: 5, post: 2, comment: 0.5 },
    contentPointsPerDay: 1,
  };
  const told = answerQuestions(rules, { isMeasured: false }).flatMap(({ questions }) => questions);
  const text = told.map(({ answer }) => answer).join(" ");
  expect(text).toContain("each one that counts earns 1 point.");
  expect(text).toContain("and earns 1 point.");
  expect(text).toContain("they earn up to 1 point a day");
});

test("no question appears twice, and every answer has its own address", () => {
  const all = answerQuestions(null, { isMeasured: true }).flatMap(({ questions }) => questions);
  expect(new Set(all.map(({ question }) => question)).size).toBe(all.length);
  const slugs = all.flatMap(({ slug, formerly = [] }) => [slug, formerly].flat());
  expect(slugs).toContain("pending-referral");
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const slug of slugs) expect(slug).toMatch(/^[a-z][a-z-]+$/);
});
