import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { dumpDatabase, listEncodings } from "../../tests/support/database/dump-database.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { wrongCode } from "../../tests/support/api/wrong-code.ts";
import { erasePersonalData } from "../account-data/erase.queries.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { inTransaction } from "../db/transaction.ts";
import { createUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";
import { readUser } from "../profile/contract.ts";
import { readSecurityActivity } from "../security-activity/contract.ts";
import {
  readCampaignMail,
  sendCampaignEmail,
  setCampaignMail,
  unsubscribeCampaignMail,
  verifyCampaignEmail,
} from "./contract.ts";

const HOUR = 60 * 60 * 1000;
const { api, clock, database, mailbox } = await openTestApi();
const email = "news@nodebeat.test";

const send = (token: string, address = email) => api.call(sendCampaignEmail, { token, body: { email: address } });
const verify = (member: string, token: string, verificationCode = "") =>
  api.call(verifyCampaignEmail, { token: member, body: { token, verificationCode } });
const read = (token: string) => api.read(readCampaignMail, { token });

/** Creates a member who has asked for campaign emails, and returns the code that was mailed. */
async function ask(address = email) {
  const { token: member } = await seedMember(api.deps);
  const { token } = await api.read(sendCampaignEmail, { token: member, body: { email: address } });
  const { code = "" } = await mailbox.read(address);
  return { member, token, code };
}

// specification: 7.44
test("an address becomes the campaign address once its code is confirmed", async () => {
  const { token: member } = await seedMember(api.deps);
  expect(await read(member)).toEqual({ email: null, pendingEmail: null, subscribed: true });

  expect(await send(member, ` ${email} `)).toMatchObject({
    status: 200,
    body: {
      token: expect.stringMatching(/^nbe_[\w-]{43}$/),
      resend: { state: "INITIAL", timestamp: clock.now().getTime(), duration: 60_000 },
    },
  });
  expect(await read(member)).toEqual({ email: null, pendingEmail: email, subscribed: true });

  clock.advance(60_000);
  const { token } = await api.read(sendCampaignEmail, { token: member, body: { email } });
  const { code = "" } = await mailbox.read(email);
  expect(await verify(member, token, `${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({
    status: 200,
    body: { message: `Campaign emails go to ${email} from now on.` },
  });

  expect(await read(member)).toEqual({ email, pendingEmail: null, subscribed: true });
  expect((await api.read(readUser, { token: member })).campaign_email).toBe(email);
  expect((await api.read(readSecurityActivity, { token: member })).events[0]?.kind).toBe("campaign-email-verified");
  clock.advance(120_000);
  expect(await send(member, email)).toMatchObject({ body: { resend: { state: "INITIAL" } } });
});

test("the email can be unsubscribed from by link and by mail programs", async () => {
  const { member } = await ask();
  const mail = await mailbox.read(email);
  expect(mail.subject).toBe("Confirm your address for campaign emails");
  const link = mail.unsubscribe ?? "";
  expect(link).toMatch(/^http:\/\/nodebeat\.test\/campaign-mail\?code=/);
  expect(mail.oneClick).toBe(true);
  expect(mail.text).toContain(`Stop campaign emails:\n${link}`);
  expect(mail.html).toContain(`href="${link}"`);
  await api.read(unsubscribeCampaignMail, { body: { code: new URL(link).searchParams.get("code") } });
  expect((await read(member)).subscribed).toBe(false);
});

test("a code allows five attempts, even concurrent ones; a resend mails a new code", async () => {
  const { member, token, code } = await ask();
  const answers = await Promise.all(Array.from({ length: 7 }, () => verify(member, token, wrongCode(code))));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([400, 400, 400, 400, 400, 429, 429]);
  expect(answers.find(({ status }) => status === 429)).toMatchObject({
    body: { message: "Too many attempts with this code. You can ask for a new one in 60 seconds." },
  });
  expect(await verify(member, token, code)).toMatchObject({ status: 429 });

  clock.advance(60_000);
  const { token: next } = await api.read(sendCampaignEmail, { token: member, body: { email } });
  const { code: renewed } = await mailbox.read(email);
  expect(await verify(member, token, code)).toMatchObject({ status: 410, body: { error: "EXPIRED" } });
  expect(await verify(member, next, renewed)).toMatchObject({ status: 200 });
});

test("the last mailed code keeps working for its day if the email limit suppresses a resend", async () => {
  const { member, code } = await ask();
  for (let index = 0; index < 4; index++) await send((await seedMember(api.deps)).token);
  await mailbox.deliver();
  const mailed = mailbox.mails.length;
  clock.advance(60_000);
  const { token } = await api.read(sendCampaignEmail, { token: member, body: { email } });
  await mailbox.deliver();
  expect(mailbox.mails).toHaveLength(mailed);
  clock.advance(24 * HOUR - 60_000 - 1);
  expect(await verify(member, token, code)).toMatchObject({ status: 200 });
});

test("a code works only once, even for concurrent requests", async () => {
  const { member, token, code } = await ask();
  const answers = await Promise.all(Array.from({ length: 4 }, () => verify(member, token, code)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410, 410, 410]);
  expect(await verify(member, token, code)).toMatchObject({ status: 410, body: { error: "ALREADY_USED" } });
});

test("a code expires after a day and works only for its own member", async () => {
  const { member, token, code } = await ask();
  const stranger = await seedMember(api.deps);
  expect(await verify(stranger.token, token, code)).toMatchObject({ status: 410 });
  expect((await read(stranger.token)).email).toBeNull();
  clock.advance(24 * HOUR);
  expect(await verify(member, token, code)).toMatchObject({ status: 410, body: { error: "EXPIRED" } });
  expect((await read(member)).pendingEmail).toBeNull();
  clock.advance(1);
  expect(await pruneExpired(api.deps)).toMatchObject({ campaignEmails: 1 });
});

test("resends climb the resend ladder, and another address does not bypass the wait", async () => {
  const { token: member } = await seedMember(api.deps);
  const steps = [];
  for (const wait of [0, 60, 120, 300]) {
    clock.advance(wait * 1000);
    steps.push(((await send(member)).body as { resend: { state: string } }).resend.state);
    const early = await send(member, "other@nodebeat.test");
    steps.push([early.status, early.headers.get("Retry-After")]);
  }
  expect(steps).toEqual([
    "INITIAL",
    [429, "60"],
    "FIRST_RESEND",
    [429, "120"],
    "SECOND_RESEND",
    [429, "300"],
    "MAX_ATTEMPTS",
    [429, "3600"],
  ]);
  clock.advance(HOUR);
  expect(await send(member, "other@nodebeat.test")).toMatchObject({ body: { resend: { state: "INITIAL" } } });
  expect((await read(member)).pendingEmail).toBe("other@nodebeat.test");
});

test("only one of many concurrent requests mails a code, even if they are the member's first", async () => {
  const { token: member } = await seedMember(api.deps);
  const addresses = Array.from({ length: 8 }, (_, index) => `news-${index}@nodebeat.test`);
  const answers = await Promise.all(addresses.map((address) => send(member, address)));
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 429)]);
  await mailbox.deliver();
  expect(mailbox.mails).toHaveLength(1);
});

test("an address that another member signs in with can be confirmed like any other", async () => {
  await seedMember(api.deps, { email });
  const { member, token, code } = await ask();
  expect(await verify(member, token, code)).toMatchObject({ status: 200 });
});

test("campaign mail can be turned off and on", async () => {
  const { token } = await seedMember(api.deps);
  const set = (subscribed: boolean) => api.read(setCampaignMail, { token, body: { subscribed } });
  expect(await set(false)).toEqual({ success: true, message: "Campaign emails are off." });
  expect((await read(token)).subscribed).toBe(false);
  expect(await set(true)).toEqual({ success: true, message: "Campaign emails are on again." });
  expect((await read(token)).subscribed).toBe(true);
});

test("the unsubscribe link still succeeds after its member was deleted", async () => {
  const { user } = await seedMember(api.deps);
  await inTransaction(database.db, (tx) => erasePersonalData(tx, { userId: user.id, now: clock.now() }));
  const code = createUnsubscribeCode(api.deps, "campaignLink", user.id);
  expect(await api.call(unsubscribeCampaignMail, { body: { code } })).toMatchObject({
    status: 200,
    body: { message: "Campaign emails are off." },
  });
});

test.for([
  ["no address", sendCampaignEmail, { email: "ada" }],
  ["no code", verifyCampaignEmail, { token: "x" }],
  ["half a code", verifyCampaignEmail, { token: "x", verificationCode: "123" }],
  ["no wish", setCampaignMail, {}],
] as const)("refuses %s", async ([, endpoint, body]) => {
  const { token } = await seedMember(api.deps);
  expect(await api.call(endpoint, { token, body })).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR" } });
  expect(await api.call(endpoint, { body })).toMatchObject({ status: 401 });
});

test("the database holds neither token nor code", async () => {
  const { token: member } = await seedMember(api.deps);
  const { token } = await api.read(sendCampaignEmail, { token: member, body: { email } });
  const dump = await dumpDatabase(database.db);
  const { code = "" } = await mailbox.read(email);
  expect(dump).toContain(email);
  for (const secret of [token, code]) for (const form of listEncodings(secret)) expect(dump).not.toContain(form);
});
