import { beforeEach, expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { countBeats } from "../heartbeats/service.ts";
import { readHeartbeatStatus } from "../heartbeats/contract.ts";
import { readPointsLog, readStats } from "../points/contract.ts";
import { ADJUSTMENT_RULE } from "../points/rules.ts";
import { postPoints } from "../points/service.ts";
import { claimReward as claimEndpoint, readSubmissions as submissionsEndpoint } from "./contract.ts";
import { completeCampaign } from "../campaigns/completions.ts";
import { saveCampaigns } from "../campaigns/service.ts";
import { claimReward, readSubmissions } from "./service.ts";
import { HEARTBEAT_REWARD_POINTS } from "../heartbeats/earning.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;
const at = clock.now();

const follow = {
  id: "follow-x",
  name: "Follow us on X",
  type: "social",
  formUrl: "https://nodebeat.example/follow",
  bonusPoints: 250.5,
  mandatory: true,
  buttonText: "Follow",
  taskNumber: 2,
};
const survey = { ...follow, id: "survey", name: "Survey", buttonText: null, mandatory: false, taskNumber: 1 };

beforeEach(() => inTransaction(db, (tx) => saveCampaigns(tx, [follow, survey])));

const complete = (userId: string, campaignId: string) =>
  inTransaction(db, (tx) => completeCampaign(tx, { userId, campaignId, at }));
const claim = (userId: string, campaignId: string) =>
  inTransaction(db, (tx) => claimReward(tx, { userId, campaignId, at }));
/** Gives points by hand, under a key that equals the id of a reward. */
const give = (userId: string, sourceId: string) =>
  inTransaction(db, (tx) =>
    postPoints(tx, [{ userId, rule: ADJUSTMENT_RULE, sourceId, points: 5, comment: "Given", occurredAt: at }]),
  );

// specification: 3.49, 7.28
test("lists every campaign in order of task number, with the member's progress", async () => {
  const { user } = await seedMember(api.deps);
  await complete(user.id, "follow-x");

  expect(await readSubmissions(api.deps, user.id)).toEqual([
    {
      campaignId: "survey",
      campaignName: "Survey",
      type: "social",
      formUrl: "https://nodebeat.example/follow",
      bonusPoints: 250.5,
      mandatory: false,
      taskNumber: 1,
      completed: false,
      claimable: false,
    },
    expect.objectContaining({ campaignId: "follow-x", buttonText: "Follow", completed: true, claimable: true }),
  ]);
});

test("pays a completed campaign only once, even for concurrent claims", async () => {
  const { token, user } = await seedMember(api.deps);
  await complete(user.id, "follow-x");
  await complete(user.id, "follow-x");

  const claims = await Promise.allSettled(Array.from({ length: 5 }, () => claim(user.id, "follow-x")));

  expect(claims.filter(({ status }) => status === "fulfilled")).toEqual([{ status: "fulfilled", value: 250.5 }]);
  await expect(claim(user.id, "follow-x")).rejects.toMatchObject({
    code: "CONFLICT",
    message: "You have already claimed this reward.",
  });
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 250.5 });
  expect(await api.read(readPointsLog, { token })).toMatchObject({
    total: 1,
    data: [{ category: "Rewards", points: 250.5, comment: "Follow us on X" }],
  });
  expect(await readSubmissions(api.deps, user.id)).toContainEqual(
    expect.objectContaining({ campaignId: "follow-x", completed: true, claimable: false }),
  );
});

test("a campaign that is not completed, or does not exist, pays nothing", async () => {
  const { token, user } = await seedMember(api.deps);

  await expect(claim(user.id, "survey")).rejects.toMatchObject({
    code: "CONFLICT",
    message: "Complete this campaign first.",
  });
  const unknown = { code: "NOT_FOUND", message: "There is no such campaign." };
  await expect(claim(user.id, "nothing")).rejects.toMatchObject(unknown);
  await expect(complete(user.id, "nothing")).rejects.toMatchObject(unknown);
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 0 });
});

test("one member's completions and claims do not affect another's", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps)];
  await complete(ada.user.id, "follow-x");
  await complete(bob.user.id, "follow-x");
  await claim(ada.user.id, "follow-x");

  expect(await api.read(submissionsEndpoint, { token: bob.token })).toMatchObject([
    { campaignId: "survey", completed: false },
    { campaignId: "follow-x", completed: true, claimable: true },
  ]);
  expect(await claim(bob.user.id, "follow-x")).toBe(250.5);
});

test("pays the heartbeat reward once, from the hundredth heartbeat", async () => {
  const { token, user } = await seedMember(api.deps);
  const beat = (first: number, count: number) =>
    hourlyBeats(user.id, count, new Date(at.getTime() - first * 3_600_000));
  await inTransaction(db, (tx) => countBeats(tx, beat(0, 99), api.deps.env));
  await expect(claim(user.id, "heartbeat")).rejects.toMatchObject({ message: "This reward needs 100 heartbeats." });
  await inTransaction(db, (tx) => countBeats(tx, beat(99, 1), api.deps.env));

  // Neither another claimed reward nor points given under this reward's id count as its claim.
  await complete(user.id, "follow-x");
  await claim(user.id, "follow-x");
  await give(user.id, "heartbeat");
  expect(await api.read(readHeartbeatStatus, { token })).toMatchObject({ claimed: false, claimable: true });

  expect(await claim(user.id, "heartbeat")).toBe(HEARTBEAT_REWARD_POINTS);
  await expect(claim(user.id, "heartbeat")).rejects.toMatchObject({
    code: "CONFLICT",
    message: "You have already claimed this reward.",
  });
  expect(await api.read(readPointsLog, { token, query: { category: "Rewards" } })).toMatchObject({
    total: 2,
    data: [{ points: HEARTBEAT_REWARD_POINTS, comment: "100 heartbeats" }, { comment: "Follow us on X" }],
  });
});

test("saving an empty list of campaigns changes nothing", async () => {
  const { user } = await seedMember(api.deps);
  await inTransaction(db, (tx) => saveCampaigns(tx, []));
  expect(await readSubmissions(api.deps, user.id)).toHaveLength(2);
});

test("saving a campaign again changes it, but not the amount of earlier claims", async () => {
  const { token, user } = await seedMember(api.deps);
  await complete(user.id, "follow-x");
  await claim(user.id, "follow-x");

  await inTransaction(db, (tx) => saveCampaigns(tx, [{ ...follow, bonusPoints: 900, taskNumber: 0 }]));

  expect((await readSubmissions(api.deps, user.id))[0]).toMatchObject({ campaignId: "follow-x", taskNumber: 0 });
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 250.5 });
});

test("lists a claimed reward with the amount paid, even if the campaign's amount has changed since", async () => {
  const [{ user }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  for (const userId of [user.id, other.user.id]) await complete(userId, "follow-x");
  await claim(user.id, "follow-x");
  await give(other.user.id, "follow-x");
  await inTransaction(db, (tx) => saveCampaigns(tx, [{ ...follow, bonusPoints: 500 }]));
  const worthOf = async (userId: string) => (await readSubmissions(api.deps, userId))[1]?.bonusPoints;
  expect([await worthOf(user.id), await worthOf(other.user.id)]).toEqual([250.5, 500]);
});

// specification: 7.30
test("the API pays only one of many concurrent claims and gives a reason for each refusal", async () => {
  const { token, user } = await seedMember(api.deps);
  await complete(user.id, "follow-x");
  const call = (id: string) => api.call(claimEndpoint, { token, params: { id } });

  const answers = await Promise.all(Array.from({ length: 10 }, () => call("follow-x")));

  expect(answers.filter(({ status }) => status === 200)).toMatchObject([
    { body: { success: true, message: "The points are yours." } },
  ]);
  expect(await call("follow-x")).toMatchObject({
    status: 409,
    body: { message: "You have already claimed this reward." },
  });
  expect(await call("survey")).toMatchObject({ status: 409, body: { message: "Complete this campaign first." } });
  expect(await call("heartbeat")).toMatchObject({
    status: 409,
    body: { message: "This reward needs 100 heartbeats." },
  });
  expect(await call("nothing")).toMatchObject({ status: 404 });
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 250.5 });
});
