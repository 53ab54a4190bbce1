import { privateKeyToAccount } from "viem/accounts";
import { sendJobResults } from "../../../server/agent-insights/contract.ts";
import { makeAdjustment } from "../../../server/adjustments/contract.ts";
import { addAdministrator } from "../../../server/administration/service.ts";
import { OPERATOR } from "../../../server/administration/actor.ts";
import { forgotPassword, issueBotCheck, login, signUp } from "../../../server/auth/contract.ts";
import { sendCampaignEmail } from "../../../server/campaign-mail/contract.ts";
import { requestEmailChange } from "../../../server/email-change/contract.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { registerDevice, sendHeartbeats } from "../../../server/heartbeats/contract.ts";
import { countBeats } from "../../../server/heartbeats/service.ts";
import { claimReferral } from "../../../server/referrals/contract.ts";
import { recordReferral } from "../../../server/referrals/service.ts";
import { claimReward } from "../../../server/rewards/contract.ts";
import { completeCampaign } from "../../../server/campaigns/completions.ts";
import { saveCampaigns } from "../../../server/campaigns/service.ts";
import { setSilenceMail } from "../../../server/silence-mail/contract.ts";
import { seedAdministrator } from "../api/administration.ts";
import { seedMember, TEST_PASSWORD, type createTestApi } from "../api/api.ts";
import { hourlyBeats } from "./beats.ts";

import { createAccount, createMachineId } from "../chain/chain-member.ts";

type TestApi = ReturnType<typeof createTestApi>;
type Clock = { now: () => Date; advance: (milliseconds: number) => void };

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
const HOUR = 3_600_000;

const WALLET = privateKeyToAccount(`0x${"5a".repeat(32)}`);

/** Everything about a member that identifies them, as typed. */
const ADA = {
  email: "Ada.Lovelace+node@mail.example",
  fullName: "Ada Lovelace-Byron",
  username: "countess_ada",
  discordUsername: "ada.discord",
  discordUserid: "871236455123",
  telegramHandle: "ada_on_telegram",
  xHandle: "ada_on_x",
  website: "https://lovelace-notes.example/",
  avatarUrl: "ipfs://bafyadaspicture",
  wallet: WALLET.address,
  campaignEmail: "ada.campaigns@mail.example",
};
const MORE = {
  pendingEmail: "ada.pending@mail.example",
  nextEmail: "ada.next@mail.example",
  machine: "Machine in Ada's attic",
  jobId: "job-of-ada-42",
  reference: "https://posts.example/ada/1",
  title: "What Ada wrote about looms",
  network: "198.51.100.0/24",
  address: "198.51.100.7",
};

/** A campaign that everybody can take part in. */
const CAMPAIGN = {
  id: "follow",
  name: "Follow us on X",
  type: "social",
  formUrl: "https://forms.example/follow",
  bonusPoints: 250,
  mandatory: false,
  buttonText: null,
  taskNumber: 1,
};

/**
 * Creates a member with rows in every table: invited by another member, with a friend, machines, jobs, emails and open
 * requests.
 */
export async function seedFullMember(api: TestApi, clock: Clock) {
  const inviter = await seedMember(api.deps, { email: "inviter@mail.example" });
  const code = inviter.user.personal_code ?? "";
  const { user, token } = await seedMember(api.deps, { ...ADA, referralCode: code });
  const friend = await seedMember(api.deps, { email: "friend@mail.example", wallet: "0xfriend" });
  const { deviceKey, deviceId } = await api.read(registerDevice, { token, body: { name: MORE.machine } });
  const referrals = await connect(api, clock, { inviter, member: { user, deviceId }, friend });
  await api.read(claimReferral, { token: inviter.token, params: { id: referrals.own } });
  await api.read(claimReferral, { token, params: { id: referrals.friend } });
  await earn(api, clock, { userId: user.id, token, deviceKey });
  await identify(api, clock, token);
  await addAdministrator(api.deps, { actor: OPERATOR, reason: "Helps out" }, { member: user.id });
  await proposePoints(api, user.id);
  const signedIn = await askForThings(api, clock, token);
  const personal = [
    ...Object.values(ADA),
    ...Object.values(MORE),
    user.personal_code ?? "",
    "adalovelace@mail.example",
  ];
  return { user, token, signedIn, deviceKey, inviter, friend, referrals, personal };
}

type Someone = { user: { id: string } };
type Members = { inviter: Someone; member: Someone & { deviceId: string }; friend: Someone };

/** Creates both invitations, with everything needed to claim them. */
function connect({ deps }: TestApi, { now }: Clock, { inviter, member, friend }: Members) {
  const beatsOf = ({ user }: Someone) => hourlyBeats(user.id, 110, now());
  const { deviceId } = member;
  return inTransaction(deps.db, async (tx) => {
    const ofMachine = beatsOf(member).map((beat) => Object.assign(beat, { deviceId }));
    await countBeats(tx, [...ofMachine, ...beatsOf(friend)], deps.env);
    const joined = { at: now() };
    const own = await recordReferral(tx, { inviterId: inviter.user.id, inviteeId: member.user.id, ...joined });
    const other = await recordReferral(tx, { inviterId: member.user.id, inviteeId: friend.user.id, ...joined });
    return { own: own ?? "", friend: other ?? "" };
  });
}

async function earn(api: TestApi, clock: Clock, member: { userId: string; token: string; deviceKey: string }) {
  const { userId, token, deviceKey } = member;
  await inTransaction(api.deps.db, async (tx) => {
    await saveCampaigns(tx, [CAMPAIGN]);
    await completeCampaign(tx, { userId, campaignId: CAMPAIGN.id, at: clock.now() });
  });
  await api.read(claimReward, { token, params: { id: CAMPAIGN.id } });
  const items = [{ kind: "post" as const, reference: MORE.reference, title: MORE.title }];
  const finishedAt = clock.now().toISOString();
  // A heartbeat that does not count, because it claims to be from tomorrow.
  const beats = [{ timestamp: new Date(clock.now().getTime() + 24 * HOUR).toISOString() }];
  await api.read(sendHeartbeats, { token: deviceKey, body: { beats } });
  await api.read(setSilenceMail, { token, body: { afterHours: 3, tellsReturn: true } });
  const jobs = [{ jobId: MORE.jobId, finishedAt, resultSize: 1500, items }];
  await api.read(sendJobResults, { token: deviceKey, body: { jobs } });
}

/** Requests more points than one administrator may give, so that the request waits for a second one. */
async function proposePoints(api: TestApi, member: string) {
  const { token } = await seedAdministrator(api.deps);
  const asked = { member, points: 50_000, category: "Rewards", key: "outage", reason: "Lost in an outage" };
  await api.read(makeAdjustment, { token, body: asked });
}

/** Creates a Smart Account and a Machine ID. */
async function identify(api: TestApi, clock: Clock, token: string) {
  for (const create of [createAccount, createMachineId]) {
    await create(api, { token, wallet: WALLET });
    clock.advance(1000);
    await api.deps.chain.advance();
  }
}

/** Signs in with a new browser, and makes requests that leave something behind. Returns the token of the sign-in. */
async function askForThings(api: TestApi, clock: Clock, token: string): Promise<string> {
  const from = {
    clientAddress: MORE.address,
    headers: { "X-Device-Token": "d".repeat(43), "User-Agent": FIREFOX },
  };
  const fill = async () => {
    const { turnstileToken } = await api.read(issueBotCheck);
    clock.advance(2000);
    return turnstileToken;
  };
  const { email } = ADA;
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fill() };
  const { access_token: signedIn } = await api.read(login, { ...from, body });
  await api.read(signUp, {
    ...from,
    body: { ...body, password: "a password of a stranger", turnstileToken: await fill() },
  });
  await api.read(forgotPassword, { ...from, body: { email, turnstileToken: await fill() } });
  await api.read(requestEmailChange, { ...from, token, body: { email: MORE.nextEmail, password: TEST_PASSWORD } });
  await api.read(sendCampaignEmail, { ...from, token, body: { email: MORE.pendingEmail } });
  return signedIn;
}
