import { afterAll, expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api/api.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { inTransaction } from "../db/transaction.ts";
import { endCampaign, readCampaign, recordCompletions } from "./contract.ts";
import { saveCampaigns } from "./service.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const { block, hold } = watchLocks(database);
afterAll(() => database.close());

test("a campaign ends no earlier than its last completion, even if its end had to wait for a lock", async () => {
  const { token } = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps);
  const survey = { id: "survey", name: "Survey", type: "form", formUrl: "https://forms.example", bonusPoints: 250 };
  await inTransaction(database.db, (tx) => saveCampaigns(tx, [{ ...survey, mandatory: false, taskNumber: 1 }]));
  const params = { id: survey.id };
  const reason = "Checked by hand";

  // Holds the same lock as a long list of completions that is being recorded.
  const release = await hold("select from campaigns for share");
  const [ending] = await block(() => api.call(endCampaign, { token, params, body: { reason } }));
  clock.advance(1000);
  const completions = [{ member: user.id, campaignId: survey.id }];
  const { results } = await api.read(recordCompletions, { token, body: { completions, reason } });
  expect(results).toMatchObject([{ outcome: "recorded" }]);
  await release();

  await ending;
  const { campaign } = await api.read(readCampaign, { token, params });
  expect(campaign).toMatchObject({ state: "ended", endsAt: clock.now().toISOString() });
});
