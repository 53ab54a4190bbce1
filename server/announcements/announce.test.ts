import { asc } from "drizzle-orm";
import { expect, test } from "vitest";
import { fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createAccount, createMachineId, seedChainMember } from "../../tests/support/chain/chain-member.ts";
import { inviteFriend } from "../../tests/support/seeds/invite-friend.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { signUp, verify } from "../auth/contract.ts";
import { completeCampaign } from "../campaigns/completions.ts";
import { saveCampaigns } from "../campaigns/service.ts";
import { webhookEvents } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { claimReferral } from "../referrals/contract.ts";
import { claimReward } from "../rewards/contract.ts";

const { api, clock, mailbox } = await openTestApi();
const { db } = api.deps;

const readEvents = async () =>
  (await db.select().from(webhookEvents).orderBy(asc(webhookEvents.id))).map(({ type, at, data }) => ({
    type,
    at,
    data,
  }));

const campaign = {
  id: "follow-x",
  name: "Follow us on X",
  type: "social",
  formUrl: "https://nodebeat.example/follow",
  bonusPoints: 250.5,
  mandatory: true,
  buttonText: null,
  taskNumber: 1,
};

test("a reward is announced once when it is claimed, and not if the claim is refused", async () => {
  const { user, token } = await seedMember(api.deps);
  await inTransaction(db, (tx) => saveCampaigns(tx, [campaign]));
  const claim = () => api.call(claimReward, { token, params: { id: campaign.id } });
  expect((await claim()).status).toBe(409);
  expect(await readEvents()).toEqual([]);
  await inTransaction(db, (tx) => completeCampaign(tx, { userId: user.id, campaignId: campaign.id, at: clock.now() }));
  const claims = await Promise.all([claim(), claim(), claim()]);
  expect(claims.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
  expect(await readEvents()).toEqual([
    {
      type: "reward.claimed",
      at: clock.now(),
      data: { memberId: user.id, rewardId: "follow-x", points: 250.5 },
    },
  ]);

  const ben = await seedMember(api.deps);
  const completion = { userId: ben.user.id, campaignId: campaign.id, at: clock.now() };
  await inTransaction(db, (tx) => completeCampaign(tx, completion));
  await api.read(claimReward, { token: ben.token, params: { id: campaign.id } });
  expect(await readEvents()).toMatchObject([{ data: { memberId: user.id } }, { data: { memberId: ben.user.id } }]);
});

test("a member is announced when they verify their address, not when they sign up", async () => {
  const turnstileToken = await fillForm(api, clock);
  const email = "ada@nodebeat.test";
  await api.read(signUp, { body: { email, password: TEST_PASSWORD, turnstileToken } });
  expect(await readEvents()).toEqual([]);
  const token = tokenOf(await mailbox.read(email));
  const { user } = await api.read(verify, { body: { token } });
  await api.call(verify, { body: { token } });
  expect(await readEvents()).toEqual([{ type: "member.verified", at: clock.now(), data: { memberId: user.id } }]);
});

test("the points for a friend are announced once, when they are claimed", async () => {
  const { user, token } = await seedMember(api.deps);
  const id = await inviteFriend(api.deps, user.id, { heartbeats: 100, wallet: true });
  await api.call(claimReferral, { token, params: { id } });
  await api.call(claimReferral, { token, params: { id } });
  expect(await readEvents()).toMatchObject([
    { type: "referral.claimed", data: { memberId: user.id, referralId: id, points: 1000 } },
  ]);
});

test("a Machine ID is announced when it is registered, and a Smart Account is not", async () => {
  const member = await seedChainMember(api.deps);
  await createAccount(api, member);
  await api.deps.chain.advance();
  expect(await readEvents()).toEqual([]);
  await createMachineId(api, member);
  expect(await readEvents()).toEqual([]);
  await api.deps.chain.advance();
  await api.deps.chain.advance();
  expect(await readEvents()).toMatchObject([
    { type: "machine_id.created", data: { memberId: member.userId, machineAddress: expect.stringMatching(/^0x/) } },
  ]);
});
