import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { campaignSubmissions } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { claimReward } from "../rewards/contract.ts";
import { completeCampaign } from "./completions.ts";
import { readCampaign, readCampaignCompletions, readCampaigns } from "./contract.ts";
import { saveCampaigns } from "./service.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;

const survey = { name: "Survey", type: "form", formUrl: "https://forms.example", bonusPoints: 250, mandatory: false };
const params = { id: "survey" };

test("shows administrators who completed and claimed a campaign, the latest first, page by page", async () => {
  const { token } = await seedAdministrator(api.deps);
  const other = { ...survey, id: "other", taskNumber: 2 };
  await inTransaction(db, (tx) => saveCampaigns(tx, [{ ...survey, id: "survey", taskNumber: 1 }, other]));
  const complete = (userId: string, campaignId: string) =>
    inTransaction(db, (tx) => completeCampaign(tx, { userId, campaignId, at: clock.now() }));
  const members: Awaited<ReturnType<typeof seedMember>>[] = [];
  // Two completions have the same time: one ends a page, and the other begins the next.
  for (const wait of [0, 1000, 1000]) {
    const member = await seedMember(api.deps);
    await complete(member.user.id, "survey");
    members.unshift(member);
    clock.advance(wait);
  }
  await api.read(claimReward, { token: members[0]?.token ?? "", params });
  // Completions of another campaign do not count.
  await complete(members[2]?.user.id ?? "", "other");
  await api.read(claimReward, { token: members[2]?.token ?? "", params: { id: "other" } });

  expect(await api.read(readCampaign, { token, params })).toMatchObject({
    campaign: { id: "survey", state: "running" },
    completed: 3,
    claimed: 1,
  });
  const first = await api.read(readCampaignCompletions, { token, params, query: { limit: 2 } });
  expect(first.items.map(({ member, claimedAt }) => [member.id, claimedAt !== null])).toEqual([
    [members[0]?.user.id, true],
    [members[1]?.user.id, false],
  ]);
  // As if the last member of that page had deleted their account.
  await db.delete(campaignSubmissions).where(eq(campaignSubmissions.userId, members[1]?.user.id ?? ""));
  const query = { limit: 2, after: first.next ?? "" };
  const second = await api.read(readCampaignCompletions, { token, params, query });
  expect(second).toMatchObject({ items: [{ member: { email: members[2]?.user.email } }], next: null });

  const asMember = { token: members[0]?.token ?? "", params };
  for (const call of [readCampaign, readCampaignCompletions]) expect((await api.call(call, asMember)).status).toBe(403);
  const unknown = { token, params: { id: "nothing" } };
  for (const call of [readCampaign, readCampaignCompletions]) expect((await api.call(call, unknown)).status).toBe(404);
});

test("lists campaigns page by page, by task number", async () => {
  const { token } = await seedAdministrator(api.deps);
  const list = [
    { ...survey, id: "c", taskNumber: 1 },
    { ...survey, id: "a", taskNumber: 1 },
    { ...survey, id: "b", taskNumber: 0 },
  ];
  await inTransaction(db, (tx) => saveCampaigns(tx, list));
  const read = async (query: object) =>
    (await api.read(readCampaigns, { token, query: { ...query } })).map(({ id }) => id);
  expect(await read({})).toEqual(["b", "a", "c"]);
  expect(await read({ limit: 2 })).toEqual(["b", "a"]);
  expect(await read({ limit: 2, after: "a" })).toEqual(["c"]);
});
