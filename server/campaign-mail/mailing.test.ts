import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import {
  BY_OPERATOR,
  markPasswordFresh,
  readAudit,
  seedAdministrator,
} from "../../tests/support/api/administration.ts";
import { seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { runDue } from "../../tests/support/api/jobs.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { requestDeletion } from "../account-data/contract.ts";
import * as campaigns from "../campaigns/contract.ts";
import { saveCampaigns } from "../campaigns/service.ts";
import { backgroundJobs, campaignMailings } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { toMessage } from "../mail/smtp.ts";
import { startOperator } from "../ops/operator.fixture.ts";
import { blockMember } from "../sessions/blocking.ts";
import { sendCampaignEmail, setCampaignMail, unsubscribeCampaignMail, verifyCampaignEmail } from "./contract.ts";
import { createCampaignMailing, MOST_WAITING, NEXT_LOOK_MS, SLICE } from "./mailing.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

// In the past, so that a campaign that has started by this clock has started by the database's clock too.
const { api, clock, database, mailbox } = await openTestApi({}, "2026-01-20T12:00:00.000Z");
const { db } = database;
let token: string;
/** The address of the administrator, who is a member and gets campaign emails, too. */
let admin: string;
beforeEach(async () => {
  const seeded = await seedAdministrator(api.deps);
  [token, admin] = [seeded.token, seeded.user.email];
});

const reason = "Agreed with the team";
const survey = { id: "survey", name: "Survey", formUrl: "https://forms.example", bonusPoints: 1250.5, taskNumber: 1 };
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR).toISOString();
const create = (more: object = {}) =>
  api.read(campaigns.createCampaign, { token, body: { ...survey, reason, ...more } });
const params = { id: survey.id };
async function change(body: object) {
  await markPasswordFresh(api.deps, token);
  return api.read(campaigns.changeCampaign, { token, params, body: { reason, ...body } });
}
async function readEmails() {
  await markPasswordFresh(api.deps, token);
  return (await api.read(campaigns.readCampaign, { token, params })).emails;
}

/** Takes the mailings that are due one step further. Returns what came of each. */
const step = () => runDue(api.deps, createCampaignMailing(api.deps));
/** Emails everybody who is still to be told, and delivers. */
async function mail() {
  do await mailbox.deliver();
  while ((await step()).length > 0);
}
/** Lets time pass, and then the mailing continue. */
async function pass(milliseconds: number) {
  clock.advance(milliseconds);
  await mail();
}
const told = () => mailbox.mails.filter(({ subject }) => subject.startsWith("New campaign")).map(({ to }) => to);
async function seedMembers(count: number) {
  const emails = [];
  for (let index = 0; index < count; index += 1) emails.push((await seedMember(api.deps)).user.email);
  return emails;
}

test("every member is emailed once when a campaign starts, and not before", async () => {
  const others = await seedMembers(SLICE + 3);
  await create({ startsAt: inHours(10), endsAt: inHours(34) });
  expect(await readEmails()).toEqual({ state: "waiting", members: 0 });
  await pass(10 * HOUR - 1);
  expect(told()).toEqual([]);
  await pass(1);
  expect(told().toSorted()).toEqual([admin, ...others].toSorted());
  expect(await readEmails()).toEqual({ state: "done", members: SLICE + 4 });
  await change({ name: "A long survey", startsAt: null });
  await pass(NEXT_LOOK_MS);
  expect(told()).toHaveLength(SLICE + 4);
});

test("the email says what the campaign is worth and until when, and its link turns these emails off", async () => {
  await create({ endsAt: inHours(24) });
  await mail();
  const email = await mailbox.read(admin);
  expect(email.subject).toBe("New campaign: Survey");
  expect(email.text).toMatch(/^You get 1\.250,5 points if you complete it by \d\d? January 2026, \d\d:\d\d UTC\.$/m);
  expect(email.text).toContain("See the campaign:\nhttp://nodebeat.test/rewards\n");
  const link = email.unsubscribe ?? "";
  expect(toMessage(email, "hello@nodebeat.test").headers).toMatchObject({
    "List-Unsubscribe": `<${link}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });

  await api.read(unsubscribeCampaignMail, { body: { code: new URL(link).searchParams.get("code") } });
  await create({ id: "second", bonusPoints: 1 });
  await mail();
  expect(told()).toEqual([admin]);
});

test("a campaign email goes to the confirmed address for campaign emails, not to one that was only entered", async () => {
  const [ada, ben] = [await seedMember(api.deps), await seedMember(api.deps)];
  const send = (member: { token: string }, email: string) =>
    api.read(sendCampaignEmail, { token: member.token, body: { email } });
  const { token: asked } = await send(ada, "ada-news@nodebeat.test");
  await send(ben, "ben-news@nodebeat.test");
  const { code } = await mailbox.read("ada-news@nodebeat.test");
  await api.read(verifyCampaignEmail, { token: ada.token, body: { token: asked, verificationCode: code } });

  await create();
  await mail();
  expect(told().toSorted()).toEqual([admin, "ada-news@nodebeat.test", ben.user.email].toSorted());
});

test("members who turned the emails off, are blocked or leave are not emailed", async () => {
  const [off, blocked, leaving] = [await seedMember(api.deps), await seedMember(api.deps), await seedMember(api.deps)];
  await api.read(setCampaignMail, { token: off.token, body: { subscribed: false } });
  await blockMember(api.deps, BY_OPERATOR, { member: blocked.user.id });
  await api.read(requestDeletion, { token: leaving.token, body: { password: TEST_PASSWORD, understood: true } });
  await create();
  await mail();
  expect(told()).toEqual([admin]);
});

test("a job that is taken early, as by a process that has just started, waits for the start", async () => {
  const ops = await startOperator(api.deps);
  await create({ startsAt: inHours(10) });
  await mail();
  expect(await ops("jobs", "retry", "email-campaign", survey.id, "--reason", reason)).toMatch(/^0 /);
  await mail();
  expect(told()).toEqual([]);
  await pass(10 * HOUR);
  expect(told()).toEqual([admin]);
});

test("if the campaign ends before all are told, the rest is told only if it runs again", async () => {
  const members = [admin, ...(await seedMembers(SLICE))];
  await create();
  await step();
  await api.read(campaigns.endCampaign, { token, params, body: { reason } });
  await mail();
  expect(told()).toHaveLength(SLICE);
  expect(await readEmails()).toEqual({ state: "done", members: SLICE });
  await change({ endsAt: null });
  await mail();
  expect(told().toSorted()).toEqual(members.toSorted());
});

test("a start that is moved moves the emails, and they continue where they were", async () => {
  const members = [admin, ...(await seedMembers(SLICE))];
  await create({ startsAt: inHours(48) });
  await change({ startsAt: inHours(1) });
  clock.advance(HOUR);
  await step();
  await change({ startsAt: inHours(24) });
  await mail();
  expect([told().length, await readEmails()]).toEqual([SLICE, { state: "sending", members: SLICE }]);
  await pass(DAY);
  expect(told().toSorted()).toEqual(members.toSorted());
});

/** A step during which an administrator moves the start, and which does not know. */
async function postponeStart() {
  await change({ startsAt: inHours(1) });
  return { again: 30 * DAY };
}

test("a change during a step makes the job look again at the new times", async () => {
  await create();
  const kind = createCampaignMailing(api.deps)["email-campaign"];
  await runDue(api.deps, { "email-campaign": { ...kind, run: postponeStart } });
  await pass(HOUR);
  expect(told()).toEqual([admin]);
});

test("campaign emails wait while others do, so that a code is sent before them", async () => {
  await seedMembers(3 * SLICE);
  await create();
  // Two steps in a row, before anything is sent.
  await step();
  await step();
  expect(await readEmails()).toMatchObject({ members: SLICE });
  const { token: member } = await seedMember(api.deps);
  await api.read(sendCampaignEmail, { token: member, body: { email: "news@nodebeat.test" } });
  clock.advance(NEXT_LOOK_MS);
  await step();
  expect(await readEmails()).toMatchObject({ members: SLICE });
  await mailbox.deliver();
  expect(mailbox.mails.map(({ to }) => to)).toContain("news@nodebeat.test");
  expect(told()).toHaveLength(SLICE);
  await pass(NEXT_LOOK_MS);
  expect(told()).toHaveLength(3 * SLICE + 2);
});

test("emails that fail and wait for another attempt hold campaign emails back once there are many", async () => {
  const later = { kind: "mail", dueAt: new Date(clock.now().getTime() + HOUR), payload: Buffer.of(1) };
  const failing = Array.from({ length: MOST_WAITING }, (_, index) => ({ ...later, key: `failing-${index}` }));
  await db.insert(backgroundJobs).values(failing);
  await create();
  await step();
  expect(await readEmails()).toMatchObject({ members: 0 });
  await db.delete(backgroundJobs).where(eq(backgroundJobs.key, "failing-0"));
  await pass(NEXT_LOOK_MS);
  expect(told()).toEqual([admin]);
});

test("campaign emails do not use up the emails that an address can ask for", async () => {
  for (let index = 0; index < 2 * LIMITS.requestedMailByMailbox.burst; index += 1) await create({ id: `c-${index}` });
  await pass(NEXT_LOOK_MS);
  const before = told().length;
  const { token: member } = await seedMember(api.deps);
  await api.read(sendCampaignEmail, { token: member, body: { email: admin } });
  expect([before, (await mailbox.read(admin)).code]).toEqual([10, expect.stringMatching(/^\d{6}$/)]);
});

test("nobody is emailed about a campaign for which this was not chosen, nor about seeded and older ones", async () => {
  await create({ emailMembers: false });
  await inTransaction(db, (tx) =>
    saveCampaigns(tx, [{ ...survey, id: "older", type: "form", mandatory: false, buttonText: null }]),
  );
  await change({ name: "A long survey" });
  await mail();
  expect([told(), await db.$count(backgroundJobs), await db.$count(campaignMailings)]).toEqual([[], 0, 0]);
  expect(await readEmails()).toEqual({ state: "off", members: 0 });
  await create({ id: "told" });
  expect((await readAudit(db)).map(({ details }) => details)).toMatchObject([
    { emailMembers: false },
    { before: { name: "Survey" } },
    { emailMembers: true },
  ]);
});

test("an operator's command emails members unless it says otherwise", async () => {
  const ops = await startOperator(api.deps);
  const fields = [
    "--name",
    "Survey",
    "--form-url",
    "https://forms.example",
    "--bonus-points",
    "10",
    "--task-number",
    "1",
  ];
  await ops("campaigns", "create", "quiet", ...fields, "--no-email-members", "--reason", reason);
  await mail();
  expect(told()).toEqual([]);
  await ops("campaigns", "create", "survey", ...fields, "--reason", reason);
  await mail();
  expect(told()).toEqual([admin]);
});

test.each([
  ["Survey\r\nBcc: all@nodebeat.test", "Survey Bcc: all@nodebeat.test"],
  ["\u202ESurvey\u2066 \u200Fof\u00AD 2026", "Survey of 2026"],
  ["<b>Survey</b> & more", "<b>Survey</b> & more"],
  ["x".repeat(120), "x".repeat(120)],
])("a campaign's name breaks no email: %j", async (name, shown) => {
  await create({ name });
  await mail();
  const { html, subject } = await mailbox.read(admin);
  expect(subject).toBe(`New campaign: ${shown}`);
  expect(html).toContain(
    `<h1>New campaign: ${shown.replace("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</h1>`,
  );
});

test("an email that cannot be sent is given up when the campaign ends, or after a week", async () => {
  const endsAt = inHours(24);
  await create({ endsAt });
  await create({ id: "second" });
  while ((await step()).length > 0);
  const expiries = (await db.select().from(backgroundJobs)).map(({ expiresAt }) => expiresAt?.toISOString() ?? "");
  expect(expiries.toSorted()).toEqual([endsAt, inHours(7 * 24)]);
});
