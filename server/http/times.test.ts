import { afterAll, expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import * as campaigns from "../campaigns/contract.ts";
import { saveLegalDraft } from "../legal/contract.ts";
import { readPointsHistory } from "../points/contract.ts";
import { openIncident } from "../status/contract.ts";
import { replayWebhook } from "../webhooks/contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
const { token } = await seedAdministrator(api.deps);
afterAll(() => database.close());

const reason = "Agreed with the team";
const campaign = { id: "survey", name: "Survey", formUrl: "https://forms.example/a", bonusPoints: 1, taskNumber: 1 };

const histories = (day: string) => api.call(readPointsHistory, { token, query: { startDate: day, endDate: day } });
const drafts = (day: string) =>
  api.call(saveLegalDraft, {
    token,
    params: { document: "tos" },
    body: {
      title: "Terms",
      changes: "None.",
      source: "## In short {#short}\n\nBe kind.",
      effectiveFrom: day,
      revision: 0,
      reason,
    },
  });
const starts = (startsAt: string) =>
  api.call(campaigns.createCampaign, { token, body: { ...campaign, startsAt, reason } });
const completions = (completedAt: string) =>
  api.call(campaigns.recordCompletions, {
    token,
    body: { completions: [{ member: "nobody@nodebeat.test", campaignId: "survey", completedAt }], reason },
  });
const incidents = (startedAt: string) =>
  api.call(openIncident, { token, body: { title: "Slow", text: "We are looking.", startedAt, reason } });
const replays = (since: string) =>
  api.call(replayWebhook, { token, params: { id: crypto.randomUUID() }, body: { since, reason } });

test.each([
  ["days of a points history", histories],
  ["days of a legal document", drafts],
])("rejects years that cannot be stored in the %s", async (_, ask) => {
  for (const day of ["0000-01-01", "0999-12-31"])
    expect(await ask(day)).toMatchObject({ status: 400, body: { message: "Write a day as 2026-12-31." } });
});

test.each([
  ["start of a campaign", starts],
  ["completions", completions],
  ["incidents", incidents],
  ["replays", replays],
])("rejects times whose UTC year cannot be stored or read back: %s", async (_, ask) => {
  const early = ["0000-01-01T00:00:00Z", "0013-01-01T00:00:00Z", "1000-01-01T00:00:00+01:00"];
  for (const time of [...early, "9999-12-31T23:59:59-01:00"])
    expect(await ask(time)).toMatchObject({
      status: 400,
      body: { message: "Write a time as 2026-12-01T00:00:00Z." },
    });
});

test("returns a time of the year 1000 as it was sent", async () => {
  const startsAt = "1000-01-01T00:00:00.000Z";
  expect(await starts(startsAt)).toMatchObject({ status: 200 });
  expect(await api.read(campaigns.readCampaigns, { token })).toMatchObject([{ startsAt }]);
});
