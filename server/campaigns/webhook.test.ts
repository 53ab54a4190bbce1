import { beforeEach, expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { createApi } from "../api.ts";
import { inTransaction } from "../db/transaction.ts";
import { readSubmissions } from "../rewards/contract.ts";
import { readIncomingWebhooks } from "../webhooks/contract.ts";
import { sign } from "../webhooks/signature.ts";
import { MAX_COMPLETIONS, receiveCompletions } from "./contract.ts";
import { saveCampaigns } from "./service.ts";

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const campaignWebhookSecrets = [OLD, NEW].map((key) => `whsec_${key.toString("base64")}`);
const { api, clock, database } = await openTestApi({ env: { campaignWebhookSecrets } });
const { db } = api.deps;
beforeEach(() => inTransaction(db, (tx) => saveCampaigns(tx, [CAMPAIGN])));

const CAMPAIGN = {
  id: "survey",
  name: "Survey",
  type: "form",
  formUrl: "https://forms.example",
  bonusPoints: 250,
  mandatory: false,
  taskNumber: 1,
};

function signed(body: unknown, { id = "msg_1", key = NEW, sentAt = clock.now() } = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  return {
    body: text,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${sign(key, id, timestamp, text).toString("base64")}`,
    },
  };
}

const send = (...message: Parameters<typeof signed>) => api.call(receiveCompletions, signed(...message));
const about = (...members: string[]) => ({
  completions: members.map((member) => ({ member, campaignId: "survey" })),
});
const isDone = async (member: { token: string }) => (await api.read(readSubmissions, member))[0]?.completed;

test("records the completions of a message signed with either secret, with audit entries", async () => {
  const [ada, ben] = [await seedMember(api.deps), await seedMember(api.deps)];
  expect(await send(about(ada.user.email), { key: OLD })).toMatchObject({
    status: 200,
    body: { recorded: 1, duplicate: false },
  });
  expect((await send(about(ben.user.id), { id: "msg_2" })).status).toBe(200);
  expect([await isDone(ada), await isDone(ben)]).toEqual([true, true]);
  expect(await readAudit(db)).toMatchObject([
    { actor: "webhook", actorId: null, subjectId: ada.user.id, details: { campaignId: "survey", message: "msg_1" } },
    { subjectId: ben.user.id, reason: "Reported from outside, in message msg_2" },
  ]);
});

test("processes a message only once, even if it is sent again with a new signature", async () => {
  const { user } = await seedMember(api.deps);
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(about(user.id))));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(answers.filter(({ body }) => (body as { recorded: number }).recorded === 1)).toHaveLength(1);
  clock.advance(60 * 60 * 1000);
  expect(await send(about(user.id))).toMatchObject({ status: 200, body: { recorded: 0, duplicate: true } });
  expect(await readAudit(db)).toHaveLength(1);
});

test("shows administrators the number of secrets and the last messages, the latest first", async () => {
  const { token } = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps);
  const receivedAt = clock.now();
  await send(about(user.id));
  clock.advance(1000);
  await send(about(user.id), { id: "msg_2" });
  expect(await api.read(readIncomingWebhooks, { token })).toEqual({
    secrets: 2,
    messages: [
      { id: "msg_2", receivedAt: clock.now().toISOString() },
      { id: "msg_1", receivedAt: receivedAt.toISOString() },
    ],
  });
});

test("records nothing if one completion cannot be recorded, and accepts the same message again", async () => {
  const ada = await seedMember(api.deps);
  const completions = [...about(ada.user.id, "ben@example.com").completions, { member: ada.user.id, campaignId: "no" }];
  expect(await send({ completions })).toMatchObject({
    status: 400,
    body: {
      message: "Nothing was recorded: 2 of 3 completions cannot be.",
      fields: {
        "completions.1": ["No member has this address or id."],
        "completions.2": ["There is no such campaign."],
      },
    },
  });
  expect([await isDone(ada), await readAudit(db)]).toEqual([false, []]);

  await seedMember(api.deps, { email: "ben@example.com" });
  expect(await send({ completions: completions.slice(0, 2) })).toMatchObject({ status: 200, body: { recorded: 2 } });
});

test.each([
  ["another's signature", () => signed(about("a@example.com"), { key: Buffer.alloc(32, 3) })],
  ["an old signature", () => signed(about("a@example.com"), { sentAt: new Date(clock.now().getTime() - 301_000) })],
  ["another body", () => ({ ...signed(about("a@example.com")), body: JSON.stringify(about("b@example.com")) })],
  ["a body that is not JSON", () => ({ ...signed("{"), body: "[" })],
])("refuses an invalid message before reading it: %s", async (_, message) => {
  expect(await api.call(receiveCompletions, message())).toMatchObject({
    status: 422,
    body: { error: "BAD_SIGNATURE" },
  });
});

test("refuses a message without its headers or with a malformed body", async () => {
  const { body, headers } = signed(about("a@example.com"));
  const { "webhook-id": _, ...rest } = headers;
  expect((await api.call(receiveCompletions, { body, headers: rest })).status).toBe(400);
  expect((await send({ completions: [{ member: "ada", campaignId: "survey" }] })).status).toBe(400);
  expect((await send("{")).status).toBe(400);
});

test("accepts the maximum number of completions and refuses a body that is too large", async () => {
  const { app } = createAppUnderTest({ api: createApi(api.deps).http });
  const post = ({ body, headers }: ReturnType<typeof signed>) =>
    app.request("/api/webhooks/campaign-completions", {
      method: "POST",
      body,
      headers: { ...headers, "content-type": "application/json" },
    });
  const { user } = await seedMember(api.deps);
  const campaignId = "answer-the-survey-of-the-winter";
  await inTransaction(db, (tx) => saveCampaigns(tx, [{ ...CAMPAIGN, id: campaignId }]));
  const each = { member: user.id, campaignId, completedAt: clock.now().toISOString() };
  const full = await post(signed({ completions: Array.from({ length: MAX_COMPLETIONS }, () => each) }));
  expect([full.status, await full.json()]).toEqual([200, { recorded: 1, duplicate: false }]);
  expect((await post(signed("x".repeat(256 * 1024 + 1), { id: "msg_2" }))).status).toBe(413);
});

test("the route is not found without a secret", async () => {
  const { app } = createAppUnderTest({ api: createApi(createTestApi(database).deps).http });
  const { body, headers } = signed(about("a@example.com"));
  const response = await app.request("/api/webhooks/campaign-completions", {
    method: "POST",
    body,
    headers: { ...headers, "content-type": "application/json" },
  });
  expect([response.status, await response.json()]).toMatchObject([404, { error: "NOT_FOUND" }]);
});
