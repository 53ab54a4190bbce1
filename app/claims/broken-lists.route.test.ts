import { expect, test } from "vitest";
import { readReferrals } from "../../server/referrals/contract.ts";
import { claimReward, readSubmissions } from "../../server/rewards/contract.ts";
import { readPage } from "../../tests/support/pages/test-pages.ts";
import { visitSamples } from "../broken-responses.fixture.ts";

test.each([
  ["/rewards", [readSubmissions, [null, { campaignId: "follow" }]]],
  ["/referrals", [readReferrals, { referrals: [null, { id: "follow" }] }]],
] as const)("%s still opens after a claim if its list contains an invalid entry", async (path, list) => {
  const { visitor } = await visitSamples([list, [claimReward, { success: true, message: "Claimed" }]]);
  const response = await visitor.post(path, { intent: "claim", id: "follow" });
  expect([response.status, response.headers.get("Location")]).toEqual([303, path]);
  const { status, text } = await readPage(visitor, path);
  expect(status).toBe(200);
  expect(text).toContain("Something went wrong while loading this part.");
});

const REWARD = { campaignId: 7, campaignName: "Say hello", completed: true, claimable: false, bonusPoints: 150 };
const FRIEND = { id: 7, inviteeEmail: "ada@nodebeat.test", status: "Success", invitedPoints: 150 };

test.each([
  ["/rewards", [readSubmissions, [REWARD]], "You claimed 150 points for “Say hello”."],
  ["/referrals", [readReferrals, { referrals: [FRIEND] }], "You claimed 150 points for ada@nodebeat.test."],
] as const)("%s says what was claimed even if IDs are numbers", async (path, list, words) => {
  const { visitor } = await visitSamples([list, [claimReward, { success: true, message: "Claimed" }]]);
  await visitor.post(path, { intent: "claim", id: "7" });
  expect((await readPage(visitor, path)).text).toContain(words);
});
