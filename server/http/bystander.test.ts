import { afterAll, expect, test } from "vitest";
import type { PrivateKeyAccount } from "viem/accounts";
import { BY_OPERATOR, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { createAccount, createMachineId } from "../../tests/support/chain/chain-member.ts";
import { newWallet } from "../../tests/support/chain/new-wallet.ts";
import { seedFullMember } from "../../tests/support/seeds/full-member.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { createMailbox, tokenOf } from "../../tests/support/api/mailbox.ts";
import { dumpRowsOf } from "../../tests/support/seeds/rich-member.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import * as account from "../account-data/contract.ts";
import { makeAdjustment } from "../adjustments/contract.ts";
import { addAdministrator, removeAdministrator } from "../administration/service.ts";
import { sendJobResults } from "../agent-insights/contract.ts";
import * as auth from "../auth/contract.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import * as campaignMail from "../campaign-mail/contract.ts";
import { completeCampaign } from "../campaigns/completions.ts";
import { inTransaction } from "../db/transaction.ts";
import * as emailChange from "../email-change/contract.ts";
import * as heartbeats from "../heartbeats/contract.ts";
import { countBeats } from "../heartbeats/service.ts";
import { acceptPrivacy, acceptTerms } from "../legal/contract.ts";
import { onboard } from "../onboarding/contract.ts";
import { updateProfile } from "../profile/contract.ts";
import { claimReferral } from "../referrals/contract.ts";
import { refuseHeld } from "../referrals/review.ts";
import { recordReferral } from "../referrals/service.ts";
import { claimReward } from "../rewards/contract.ts";
import { blockMember, unblockMember } from "../sessions/blocking.ts";
import { readSessions, revokeOtherSessions, revokeSession } from "../sessions/contract.ts";
import { setSilenceMail } from "../silence-mail/contract.ts";
import { changeWallet, linkWallet, readWalletMessage } from "../wallet/contract.ts";
import { setWhitelisted } from "../whitelist/service.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
const { deps } = api;
afterAll(() => database.close());

const EMAIL = "ben@example.com";
const NEXT_EMAIL = "ben@elsewhere.example";
const NEXT_PASSWORD = "another horse battery";

/** The member who acts, with their current token. */
type Ben = { id: string; token: string };

async function signIn(email: string, password: string) {
  const headers = { "X-Device-Token": "b".repeat(43) };
  const body = { email, password, turnstileToken: await fillForm(api, clock) };
  return (await api.read(auth.login, { headers, body })).access_token;
}

async function signMessage({ token }: Ben, wallet: PrivateKeyAccount, purpose: "link" | "change") {
  const query = { address: wallet.address, purpose, origin: "http://localhost:3000" };
  const { message } = await api.read(readWalletMessage, { token, query });
  return { address: wallet.address, message, signature: await wallet.signMessage({ message }) };
}

const beatsOf = (userId: string) => hourlyBeats(userId, 110, clock.now());

/** Adds a friend whose points can be claimed at once. An invited second account of the inviter's is held for review. */
async function invite(inviter: Ben, email: string) {
  const friend = await seedMember(deps, { email, wallet: `0x${email}` });
  return inTransaction(deps.db, async (tx) => {
    await countBeats(tx, beatsOf(friend.user.id), deps.env);
    const id = await recordReferral(tx, { inviterId: inviter.id, inviteeId: friend.user.id, at: clock.now() });
    return id ?? "";
  });
}

const first = newWallet();
const second = newWallet();

/** Everything that a member can do, and that others can do to a member, in this order. */
const DONE: Record<string, (ben: Ben) => Promise<unknown>> = {
  async "the documents are accepted, and the introduction is over"({ id, token }) {
    await api.read(acceptTerms, { token });
    await api.read(acceptPrivacy, { token });
    await api.read(onboard, { token, body: { userId: id } });
  },
  async "a session begins, and others end"(ben) {
    await signIn(EMAIL, TEST_PASSWORD);
    const { sessions } = await api.read(readSessions, { token: ben.token });
    const other = sessions.find(({ current }) => !current);
    await api.read(revokeSession, { token: ben.token, params: { id: other?.id ?? "" } });
    await signIn(EMAIL, TEST_PASSWORD);
    await api.read(revokeOtherSessions, { token: ben.token });
  },
  "the profile changes": ({ token }) => api.read(updateProfile, { token, body: { full_name: "Ben", username: "ben" } }),
  async "the password changes"({ token }) {
    await api.read(auth.changePassword, { token, body: { currentPassword: TEST_PASSWORD, password: NEXT_PASSWORD } });
  },
  async "a forgotten password is replaced"(ben) {
    await api.read(auth.forgotPassword, { body: { email: EMAIL, turnstileToken: await fillForm(api, clock) } });
    const token = tokenOf(await mailbox.read(EMAIL));
    const { recoveryToken } = await api.read(auth.openRecovery, { body: { token } });
    await api.read(auth.resetPassword, { body: { token: recoveryToken, password: TEST_PASSWORD } });
    ben.token = await signIn(EMAIL, TEST_PASSWORD);
  },
  async "another address for campaign mail is confirmed, and no more is wanted"({ token }) {
    const to = "ben.news@example.com";
    const { token: proof } = await api.read(campaignMail.sendCampaignEmail, { token, body: { email: to } });
    const { code = "" } = await mailbox.read(to);
    await api.read(campaignMail.verifyCampaignEmail, { token, body: { token: proof, verificationCode: code } });
    await api.read(campaignMail.setCampaignMail, { token, body: { subscribed: false } });
  },
  async "mail about silence is wanted, and no more"({ token }) {
    await api.read(setSilenceMail, { token, body: { afterHours: 3, tellsReturn: true } });
    await api.read(setSilenceMail, { token, body: { afterHours: null, tellsReturn: false } });
  },
  async "a machine beats, works and is revoked"({ token }) {
    const { deviceId, deviceKey } = await api.read(heartbeats.registerDevice, { token, body: { name: "Attic" } });
    const timestamp = clock.now().toISOString();
    await api.read(heartbeats.sendHeartbeats, { token: deviceKey, body: { beats: [{ timestamp }] } });
    const item = { kind: "post" as const, reference: "post-of-ben", title: "A post" };
    const job = { jobId: "job-of-ben", finishedAt: timestamp, resultSize: 10, items: [item] };
    await api.read(sendJobResults, { token: deviceKey, body: { jobs: [job] } });
    await api.read(heartbeats.revokeDevice, { token, params: { id: deviceId } });
  },
  async "a wallet is linked, and changed"(ben) {
    await api.read(linkWallet, { token: ben.token, body: await signMessage(ben, first, "link") });
    await api.read(changeWallet, { token: ben.token, body: await signMessage(ben, second, "change") });
  },
  async "a Smart Account and a Machine ID are made"({ id, token }) {
    await inTransaction(deps.db, (tx) => countBeats(tx, beatsOf(id), deps.env));
    for (const create of [createAccount, createMachineId]) {
      expect((await create(api, { token, wallet: second })).status).toBe(200);
      clock.advance(1000);
      await deps.chain.advance();
    }
  },
  async "points are claimed, for a campaign and a friend"(ben) {
    await inTransaction(deps.db, (tx) =>
      completeCampaign(tx, { userId: ben.id, campaignId: "follow", at: clock.now() }),
    );
    await api.read(claimReward, { token: ben.token, params: { id: "follow" } });
    await api.read(claimReferral, { token: ben.token, params: { id: await invite(ben, "cy@example.com") } });
  },
  async "an invitation is held, and refused"(ben) {
    await refuseHeld(deps, BY_OPERATOR, { id: await invite(ben, "ben+2@example.com") });
  },
  async "an administrator gives points, and the test network is opened"() {
    const { token } = await seedAdministrator(deps);
    const asked = { member: EMAIL, points: 50, category: "Rewards" as const, key: "outage", reason: "Lost" };
    await api.read(makeAdjustment, { token, body: asked });
    await setWhitelisted(deps, BY_OPERATOR, { emails: [EMAIL], whitelisted: true });
  },
  async "the role of an administrator is given, and taken"() {
    await addAdministrator(deps, BY_OPERATOR, { member: EMAIL });
    await removeAdministrator(deps, BY_OPERATOR, { member: EMAIL });
  },
  async "a member is blocked, and no more"(ben) {
    await blockMember(deps, BY_OPERATOR, { member: EMAIL });
    await unblockMember(deps, BY_OPERATOR, { member: EMAIL });
    ben.token = await signIn(EMAIL, TEST_PASSWORD);
  },
  async "the account is to be deleted, and is kept"({ token }) {
    const body = { password: TEST_PASSWORD, understood: true as const };
    await api.read(account.requestDeletion, { token, body });
    await api.read(account.keepAccount, { token });
  },
  async "the address changes"({ token }) {
    const body = { email: NEXT_EMAIL, password: TEST_PASSWORD };
    await api.read(emailChange.requestEmailChange, { token, body });
    const { code = "" } = await mailbox.read(NEXT_EMAIL);
    await api.read(emailChange.verifyEmailChange, { token, body: { verificationCode: code } });
  },
  async "the account is deleted"() {
    const token = await signIn(NEXT_EMAIL, TEST_PASSWORD);
    const body = { password: TEST_PASSWORD, understood: true as const };
    await api.read(account.requestDeletion, { token, body });
    clock.advance(2 * account.DELETION_GRACE_SECONDS * 1000);
    await eraseDueAccounts(deps, createEmbeddedProvider(deps));
    clock.advance(60_000);
    expect(await eraseDueAccounts(deps, createEmbeddedProvider(deps))).toBe(1);
  },
};

test("nothing that a member does, or that is done to them, changes another member's data", async () => {
  // Starts long ago, so that things that expire by the database's clock have expired by the test's clock, too.
  clock.advance(-3 * account.DELETION_GRACE_SECONDS * 1000);
  const ada = await seedFullMember(api, clock);
  // Ada's invitation is under review, and her friend is blocked. Neither may change because of another member.
  await invite({ id: ada.user.id, token: ada.token }, "ada.lovelace+friend@mail.example");
  await blockMember(deps, BY_OPERATOR, { member: ada.friend.user.id });
  await mailbox.deliver();
  const { user, token } = await seedMember(deps, { email: EMAIL, accepted: [] });
  const ben: Ben = { id: user.id, token };
  const look = async () => {
    const rows = await Promise.all([ada, ada.friend, ada.inviter].map(({ user: { id } }) => dumpRowsOf(database, id)));
    return [...new Set(rows.flat())];
  };
  const before = await look();
  expect(before.length).toBeGreaterThan(300);

  for (const [what, act] of Object.entries(DONE)) {
    await act(ben);
    const after = new Set(await look());
    const changed = before.filter((row) => !after.has(row));
    expect([what, changed, after.size]).toEqual([what, [], before.length]);
  }
});
