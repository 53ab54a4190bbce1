import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { botCheckUses } from "../db/schema.ts";
import { prune } from "../jobs/prune.ts";
import { createEmbeddedBotCheck } from "./embedded.ts";
import { SPENT_TOKENS } from "./queries.ts";

const MINUTE = 60 * 1000;
const HOURS = 60 * MINUTE;
const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock();
const secrets = ["a secret that all processes share"] as const;
const botCheck = createEmbeddedBotCheck({ db, secrets, now: clock.now });

beforeEach(() => database.reset());
afterAll(() => database.close());

const refusal = (message: RegExp) => ({ code: "BOT_CHECK_FAILED", message: expect.stringMatching(message) });

function issueAhead(milliseconds: number) {
  const ahead = new Date(clock.now().getTime() + milliseconds);
  return createEmbeddedBotCheck({ db, secrets, now: () => ahead }).issue().turnstileToken;
}

async function issueFilled() {
  const token = botCheck.issue().turnstileToken;
  clock.advance(300);
  return token;
}

test("accepts a token once", async () => {
  const token = await issueFilled();
  await botCheck.verify(token, { address: "" });
  await expect(botCheck.verify(token, { address: "" })).rejects.toMatchObject(refusal(/already sent/));
});

test("accepts a token only once across all processes", async () => {
  const token = await issueFilled();
  const processes = Array.from({ length: 8 }, () => createEmbeddedBotCheck({ db, secrets, now: clock.now }));

  const outcomes = await Promise.allSettled(processes.map((each) => each.verify(token, { address: "" })));

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("refuses a form that was filled in faster than a person can, and accepts it a moment later", async () => {
  const token = botCheck.issue().turnstileToken;
  clock.advance(299);
  await expect(botCheck.verify(token, { address: "" })).rejects.toMatchObject({
    ...refusal(/too quickly/),
    retryAfter: 1,
  });
  clock.advance(1);
  await botCheck.verify(token, { address: "" });
});

test("accepts a form from a process whose clock is up to a minute ahead", async () => {
  for (const milliseconds of [1, 300, MINUTE]) await botCheck.verify(issueAhead(milliseconds), { address: "" });
  await expect(botCheck.verify(issueAhead(MINUTE + 1), { address: "" })).rejects.toMatchObject(refusal(/too quickly/));
});

test("refuses a form that was open for more than two hours", async () => {
  const [inTime, late] = [botCheck.issue().turnstileToken, botCheck.issue().turnstileToken];
  clock.advance(2 * HOURS);
  await botCheck.verify(inTime, { address: "" });
  clock.advance(1);
  await expect(botCheck.verify(late, { address: "" })).rejects.toMatchObject(refusal(/open for too long/));
});

test("a used token is kept for as long as any process would accept it", async () => {
  const token = botCheck.issue().turnstileToken;
  clock.advance(2 * HOURS);
  await botCheck.verify(token, { address: "" });

  clock.advance(MINUTE);
  expect(await prune({ db, now: clock.now }, { tokens: SPENT_TOKENS })).toEqual({ tokens: 0 });
  const behind = createEmbeddedBotCheck({ db, secrets, now: () => new Date(clock.now().getTime() - MINUTE) });
  await expect(behind.verify(token, { address: "" })).rejects.toMatchObject(refusal(/already sent/));

  clock.advance(1);
  expect(await prune({ db, now: clock.now }, { tokens: SPENT_TOKENS })).toEqual({ tokens: 1 });
});

test("rejects every token that it did not issue", async () => {
  const token = await issueFilled();
  const [id = "", time = "", signature = ""] = token.split(".");
  const later = (Number.parseInt(time, 36) + 1).toString(36);
  const foreign = createEmbeddedBotCheck({ db, secrets: ["another secret"], now: clock.now }).issue().turnstileToken;
  clock.advance(300);

  const forged = [
    "",
    "x",
    "..",
    `${id}.${time}.`,
    `${id}.${later}.${signature}`,
    `${id.toLowerCase()}x.${time}.${signature}`,
    `${id}.${time}.${signature.slice(1)}A`,
    `${token} `,
    ` ${token}`,
    `${token}\n`,
    foreign,
    "x".repeat(4096),
  ];
  for (const each of forged)
    await expect(botCheck.verify(each, { address: "" })).rejects.toMatchObject(refusal(/did not pass/));
  expect(await db.$count(botCheckUses)).toBe(0);
  await botCheck.verify(token, { address: "" });
});
