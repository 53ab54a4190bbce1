import { beforeEach, expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { seedHeardMinutes } from "../../tests/support/seeds/heard-minutes.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { OPERATOR } from "../administration/actor.ts";
import { statusSamples } from "../db/schema.ts";
import { registerDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import { toMessage } from "../mail/smtp.ts";
import { blockMember, unblockMember } from "../sessions/blocking.ts";
import { readSilenceMail, setSilenceMail, unsubscribeSilenceMail, type SilenceMail } from "./contract.ts";
import { checkForSilence } from "./watch.ts";

const HOUR = 60 * 60 * 1000;
const MINUTE = 60_000;

const { api, clock, database, mailbox } = await openTestApi();
beforeEach(() => seedHeardMinutes(database.db, clock.now()));

const choose = (token: string, afterHours: SilenceMail["afterHours"], tellsReturn = false) =>
  api.read(setSilenceMail, { token, body: { afterHours, tellsReturn } });
const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds).toISOString();
/** Sends a heartbeat of now, by a clock that may be behind. */
const beat = (token: string, behind = 0) =>
  api.read(sendHeartbeats, { token, body: { beats: [{ timestamp: ago(behind) }] } });

/**
 * Lets time pass, and looks every five minutes instead of every minute. What falls due in between is found at the end.
 */
async function pass(milliseconds: number, deps = api.deps) {
  for (let left = milliseconds / MINUTE; left > 0; left -= 5) {
    const minutes = Math.min(left, 5);
    clock.advance(minutes * MINUTE);
    await seedHeardMinutes(database.db, clock.now(), minutes);
    await checkForSilence(deps);
  }
  await mailbox.deliver();
}

const subjects = () => mailbox.mails.map(({ subject }) => subject);

test("a member gets no silence email unless they turn it on", async () => {
  const { token } = await seedMember(api.deps);
  expect(await api.read(readSilenceMail, { token })).toEqual({ afterHours: null, tellsReturn: false });
  await beat(token);
  await pass(2 * HOUR);
  expect(subjects()).toEqual([]);

  await choose(token, 3, true);
  expect(await api.read(readSilenceMail, { token })).toEqual({ afterHours: 3, tellsReturn: true });
});

test("each silence is mailed once, and another only after a heartbeat in between", async () => {
  const { token, user } = await seedMember(api.deps);
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  await choose(token, 1);
  await beat(deviceKey);
  await pass(HOUR - MINUTE);
  expect(subjects()).toEqual([]);
  await pass(MINUTE);
  expect(subjects()).toEqual(["Your node has been silent for 1 hour"]);
  expect((await mailbox.read(user.email)).text).toMatch(/on 20 November 2026, \d\d:00 UTC, from attic\./);
  await pass(5 * HOUR);
  expect(subjects()).toHaveLength(1);

  await beat(deviceKey);
  await pass(HOUR);
  expect(subjects()).toHaveLength(2);
});

test("if machines of two members share an id, each member is told the name of their own", async () => {
  const id = crypto.randomUUID();
  const members = [];
  for (const name of ["attic", "cellar"]) {
    const { token, user } = await seedMember(api.deps);
    const { deviceKey } = await api.read(registerDevice, { token, body: { name, id } });
    await choose(token, 1);
    await beat(deviceKey);
    members.push({ name, email: user.email });
  }
  await pass(HOUR);
  for (const { email, name } of members) expect((await mailbox.read(email)).text).toContain(`, from ${name}.`);
});

test.each([0, 3])("a node whose clock is %i hours behind causes no email until it stops", async (hours) => {
  const { token } = await seedMember(api.deps);
  await choose(token, 1, true);
  for (let beats = 0; beats < 6; beats += 1) {
    await beat(token, hours * HOUR);
    await pass(45 * MINUTE);
  }
  expect(subjects()).toEqual([]);
  await pass(HOUR);
  expect(subjects()).toHaveLength(1);
});

test("with an interval of an hour, a node is not silent between two heartbeats", async () => {
  const { token } = await seedMember(api.deps);
  const hourly = { ...api.deps, env: { ...api.deps.env, heartbeatIntervalSeconds: 3600 } };
  await choose(token, 1, true);
  for (let beats = 0; beats < 3; beats += 1) {
    await beat(token);
    await pass(HOUR, hourly);
  }
  expect(subjects()).toEqual([]);
  await pass(HOUR, hourly);
  expect(subjects()).toEqual(["Your node has been silent for 2 hours"]);
});

test("a member who wants to know is told once that the node is back", async () => {
  const { token } = await seedMember(api.deps);
  await beat(token);
  await choose(token, 1, true);
  await pass(3 * HOUR);
  await beat(token);
  await pass(30 * MINUTE);
  expect(subjects()).toEqual(["Your node has been silent for 1 hour", "Your node is back"]);
  await pass(40 * MINUTE);
  expect(subjects().slice(2)).toEqual(["Your node has been silent for 1 hour"]);
});

test("turning the emails on again sends nothing about a silence that ended while they were off", async () => {
  const { token } = await seedMember(api.deps);
  await beat(token);
  await choose(token, 1, true);
  await pass(HOUR);
  await choose(token, null);
  await beat(token);
  await pass(30 * MINUTE);
  await choose(token, 1, true);
  await pass(MINUTE);
  expect(subjects()).toEqual(["Your node has been silent for 1 hour"]);
});

test("turning the emails off and on during a silence still sends the email that the node is back", async () => {
  const { token } = await seedMember(api.deps);
  await beat(token);
  await choose(token, 1, true);
  await pass(HOUR);
  await choose(token, null);
  await choose(token, 1, true);
  await beat(token);
  await pass(30 * MINUTE);
  expect(subjects()).toEqual(["Your node has been silent for 1 hour", "Your node is back"]);
});

test("a node that never sent a heartbeat is not silent", async () => {
  const { token } = await seedMember(api.deps);
  await choose(token, 1, true);
  await pass(5 * HOUR);
  expect(subjects()).toEqual([]);
  await beat(token);
  await pass(HOUR);
  expect(subjects()).toHaveLength(1);
});

test("a blocked member gets no email about a silent node until they are unblocked", async () => {
  const { token, user } = await seedMember(api.deps);
  const act = { actor: OPERATOR, reason: "Many accounts" };
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  await choose(token, 1);
  await beat(deviceKey);
  await blockMember(api.deps, act, { member: user.email });
  await pass(3 * HOUR);
  expect(subjects()).toEqual([]);

  await unblockMember(api.deps, act, { member: user.email });
  await pass(HOUR);
  expect(subjects()).toEqual(["Your node has been silent for 3 hours"]);
});

test("a silence counts from when its emails were turned on, and another choice does not mail it again", async () => {
  const { token } = await seedMember(api.deps);
  await beat(token);
  clock.advance(50 * HOUR);
  await choose(token, 3);
  await pass(3 * HOUR - MINUTE);
  expect(subjects()).toEqual([]);
  await pass(MINUTE);
  expect(subjects()).toEqual(["Your node has been silent for 2 days"]);
  await choose(token, null);
  await choose(token, 1);
  await pass(4 * HOUR);
  expect(subjects()).toHaveLength(1);
});

test("many concurrent processes mail each silence once", async () => {
  const members = await Promise.all(Array.from({ length: 5 }, () => seedMember(api.deps)));
  for (const { token } of members) {
    await beat(token);
    await choose(token, 1);
  }
  clock.advance(HOUR);
  await seedHeardMinutes(database.db, clock.now());
  await Promise.all(Array.from({ length: 8 }, () => checkForSilence(api.deps)));
  await mailbox.deliver();
  expect(mailbox.mails.map(({ to }) => to).toSorted()).toEqual(members.map(({ user }) => user.email).toSorted());
});

test("an email that was queued for a day is not sent, because its silence may be over", async () => {
  const { token } = await seedMember(api.deps);
  await beat(token);
  await choose(token, 1);
  clock.advance(HOUR);
  await seedHeardMinutes(database.db, clock.now());
  await checkForSilence(api.deps);
  clock.advance(24 * HOUR);
  await mailbox.deliver();
  expect(subjects()).toEqual([]);
});

test("after an outage of the server, no silence is mailed before nodes have had time to come back", async () => {
  const [{ token: back }, { token: gone }] = [await seedMember(api.deps), await seedMember(api.deps)];
  for (const token of [back, gone]) {
    await beat(token);
    await choose(token, 1);
  }
  // Nobody receives heartbeats for two hours. At first no process says anything, and then they say that they cannot.
  clock.advance(2 * HOUR);
  await seedHeardMinutes(database.db, clock.now(), 60);
  await database.db.update(statusSamples).set({ state: 2 });
  await pass(5 * MINUTE);
  await beat(back);
  await pass(5 * MINUTE);
  expect(subjects()).toEqual([]);
  await pass(45 * MINUTE);
  expect(subjects()).toEqual(["Your node has been silent for 2 hours"]);
  await pass(10 * MINUTE);
  expect(subjects().slice(1)).toEqual(["Your node has been silent for 1 hour"]);
});

test("each email can be unsubscribed from without a sign-in, by link and by mail programs", async () => {
  const [{ token, user }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  await choose(other.token, 3);
  await beat(token);
  await choose(token, 1);
  await pass(HOUR);
  const mail = await mailbox.read(user.email);
  const { headers } = toMessage(mail, "Nodebeat <no-reply@nodebeat.test>");
  const oneClick = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  expect(headers).toMatchObject({ "List-Unsubscribe": `<${mail.unsubscribe}>`, ...oneClick });

  const code = new URL(mail.unsubscribe ?? "").searchParams.get("code") ?? "";
  for (let times = 0; times < 2; times += 1) await api.read(unsubscribeSilenceMail, { body: { code } });
  const chosen = await Promise.all([token, other.token].map((each) => api.read(readSilenceMail, { token: each })));
  expect(chosen.map(({ afterHours }) => afterHours)).toEqual([null, 3]);
  await beat(token);
  await pass(2 * HOUR);
  expect(subjects()).toHaveLength(1);
});

test.each([
  ["nothing", () => ""],
  ["another member's id with the same key", (code: string, other: string) => code.replace(/^[^.]+/, other)],
  ["a code cut short", (code: string) => code.slice(0, -1)],
])("an unsubscribe request with %s turns off nobody's emails", async (_, change) => {
  const { token, user } = await seedMember(api.deps);
  const stranger = await seedMember(api.deps);
  for (const member of [token, stranger.token]) await choose(member, 1);
  await beat(token);
  await pass(HOUR);
  const { unsubscribe = "" } = await mailbox.read(user.email);
  const code = change(new URL(unsubscribe).searchParams.get("code") ?? "", stranger.user.id);
  expect((await api.call(unsubscribeSilenceMail, { body: { code } })).status).toBe(404);
  for (const member of [token, stranger.token])
    expect((await api.read(readSilenceMail, { token: member })).afterHours).toBe(1);
});

test.each([2, 0, "1", undefined])("a wait of %s hours is refused", async (afterHours) => {
  const { token } = await seedMember(api.deps);
  const { status } = await api.call(setSilenceMail, { token, body: { afterHours, tellsReturn: false } });
  expect(status).toBe(400);
});
