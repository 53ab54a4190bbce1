import { expect, test } from "vitest";
import { seedMember } from "../tests/support/api/api.ts";
import { openTestApi } from "../tests/support/api/open-test-api.ts";
import { inTransaction } from "./db/transaction.ts";
import { readPointsLog, readPointsLogDetail } from "./points/contract.ts";
import { CONTENT_RULE } from "./agent-insights/earning.ts";
import { EARNING_RULES } from "./earning-rules.ts";
import { HEARTBEAT_REWARD_RULE, HEARTBEAT_RULE } from "./heartbeats/earning.ts";
import { ADJUSTMENT_RULE, GENESIS_RULE, type PointsRule } from "./points/rules.ts";
import { postPoints } from "./points/service.ts";
import { CLAIMED_RULE, JOINED_RULE } from "./referrals/earning.ts";
import { CAMPAIGN_RULE } from "./rewards/earning.ts";

const env = { pointsPerHeartbeat: 25, heartbeatIntervalSeconds: 90, contentPointsPerDay: 5000 };
const { api, clock, database } = await openTestApi({ env });

type Posted = { rule: PointsRule; sourceId?: string; points?: number };

/** Posts a row of a rule, and returns how the log explains it to the member. */
async function explain({ rule, sourceId, points = 0 }: Posted) {
  const { user, token } = await seedMember(api.deps);
  // A heartbeat's row takes its id from its slot.
  sourceId ??= rule.source === HEARTBEAT_RULE.source ? clock.now().toISOString() : "1";
  const entry = { userId: user.id, rule, sourceId, points, comment: "A row", occurredAt: clock.now() };
  await inTransaction(database.db, (tx) => postPoints(tx, [entry]));
  const { data } = await api.read(readPointsLog, { token });
  const { rule: told, source } = await api.read(readPointsLogDetail, { token, params: { id: data[0]?.id ?? "" } });
  return [source.title, told.text, told.points];
}

const CAP = "All that it gathers on one day (UTC) earns 5.000 points at most.";

test.each<[Posted, title: string, text: string, points: number | null]>([
  [
    { rule: HEARTBEAT_RULE, points: 25 },
    "Heartbeat from your node",
    "Each heartbeat that counts earns 25 points. One counts in each interval of 90 seconds, whichever machine sent it.",
    25,
  ],
  [
    { rule: JOINED_RULE, points: 1000 },
    "You joined with a friend's link",
    "You start with 1.000 extra points when you join with a friend's link.",
    1000,
  ],
  [
    { rule: CLAIMED_RULE, points: 1000 },
    "A friend joined with your link",
    "You can claim 1.000 points for a friend who has sent 100 heartbeats and linked a wallet.",
    1000,
  ],
  [{ rule: CAMPAIGN_RULE, points: 250 }, "Reward claimed", "Complete a reward, then claim its points.", null],
  [
    { rule: HEARTBEAT_REWARD_RULE, points: 500 },
    "Reward for your first heartbeats",
    "Send 100 heartbeats, then claim 500 points.",
    500,
  ],
  [
    { rule: CONTENT_RULE, sourceId: "profile:x", points: 5 },
    "A profile that your node gathered",
    `Each profile that your node gathers earns 5 points, once. ${CAP}`,
    5,
  ],
  [
    { rule: { ...CONTENT_RULE, version: 1 }, sourceId: "post:x", points: 2 },
    "A post that your node gathered",
    `Each post that your node gathers earns 2 points, once. ${CAP} When this entry was posted, the rule gave 2.`,
    2,
  ],
  [
    { rule: CONTENT_RULE, sourceId: "comment:x", points: 0.25 },
    "A comment that your node gathered",
    `Each comment that your node gathers earns 0,5 points, once. ${CAP} When this entry was posted, the rule gave 0,25.`,
    0.5,
  ],
  [
    { rule: CONTENT_RULE, sourceId: "constructor:x", points: 2 },
    "Content that your node gathered",
    `Gathered content earns points, once. ${CAP}`,
    null,
  ],
  [
    { rule: GENESIS_RULE, points: 7 },
    "Points from before this log",
    "What you had earned before this log began was added to it once.",
    null,
  ],
  [
    { rule: ADJUSTMENT_RULE, points: -7 },
    "An adjustment",
    "The people who run this network gave or took these points. The comment says why.",
    null,
  ],
])("the log explains $rule.rule of version $rule.version", async (posted, ...told) => {
  expect(await explain(posted)).toEqual(told);
});

const ROW = { rule: HEARTBEAT_RULE.rule, ruleVersion: 1, sourceId: "", points: 25, campaignPoints: null };

test.each([
  [15, "15 seconds"],
  [1001, "1.001 seconds"],
  [900, "15 minutes"],
  [5400, "90 minutes"],
  [3600, "1 hour"],
  [86_400, "1 day"],
])("members read an interval of %i seconds as %s", (heartbeatIntervalSeconds, words) => {
  expect(HEARTBEAT_RULE.describe({ ...env, heartbeatIntervalSeconds }, ROW).text).toContain(
    `each interval of ${words},`,
  );
});

test("members read a single point in the singular", () => {
  const few = { ...env, pointsPerHeartbeat: 1, contentPointsPerDay: 1 };
  expect(HEARTBEAT_RULE.describe(few, ROW).text).toContain("earns 1 point. One counts");
  expect(CONTENT_RULE.describe(few, ROW).text).toContain("earns 1 point at most.");
  expect(CAMPAIGN_RULE.describe(few, { ...ROW, campaignPoints: 1 }).text).toContain("claim its 1 point.");
});

// specification: 0.2, 1.2
test("the names of rules stay the same, because a renamed rule would pay for an event again", () => {
  const names = EARNING_RULES.map(({ source, rule, version, category }) => `${source} ${rule} ${version} ${category}`);
  expect(names.toSorted()).toEqual([
    "adjustment operator-adjustment 1 Others",
    "campaign campaign-bonus 1 Rewards",
    "campaign heartbeat-reward 1 Rewards",
    "content content-gathered 2 Others",
    "genesis genesis-snapshot 1 Others",
    "heartbeat points-per-heartbeat 1 Connectivity",
    "referral referral-claimed 1 Referral",
    "referral referral-joined 1 Referral",
  ]);
});
