import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { listEncodings } from "../../tests/support/database/dump-database.ts";
import { seedFullMember } from "../../tests/support/seeds/full-member.ts";
import { eraseAtOnce } from "../../tests/support/api/jobs.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { approveAdjustment, readAdjustmentRequests } from "../adjustments/contract.ts";
import { OPERATOR } from "../administration/actor.ts";
import { addMonth } from "../db/months.ts";
import { heartbeatMonths, ledgerDays } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { requestEmailChange } from "../email-change/contract.ts";
import { readReferrals } from "../referrals/contract.ts";
import { refuseHeld } from "../referrals/review.ts";
import { recordReferral } from "../referrals/service.ts";
import { readSecurityActivity } from "../security-activity/contract.ts";
import { DataExport, DataSections, exportData, requestDeletion } from "./contract.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;

const read = (token: string) => api.read(exportData, { token });

test("the export contains every row kept about the member, in every section", async () => {
  const { token, user, personal } = await seedFullMember(api, clock);
  const aYearAgo = { heartbeats: 3, firstSlotAt: clock.now(), lastBeatAt: clock.now() };
  await db.insert(heartbeatMonths).values({ userId: user.id, month: "2025-09-01", ...aYearAgo });
  const gone = { day: "2025-09-01", category: "Connectivity" as const, points: 75, entries: 3 };
  await db.insert(ledgerDays).values({ userId: user.id, ...gone });
  const body = { password: TEST_PASSWORD, understood: true };
  const { deletionDueAt } = await api.read(requestDeletion, { token, body });
  await api.read(requestEmailChange, { token, body: { email: "ada.next@mail.example", password: TEST_PASSWORD } });
  const { status, headers, body: exported } = await api.call(exportData, { token });

  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="nodebeat-data-export-2026-11-20.json"');
  expect(headers.get("Cache-Control")).toBe("no-store");
  const all = DataExport.parse(exported);
  const empty = Object.keys(DataSections.shape).filter(
    (section) => all[section as keyof typeof DataSections.shape].length === 0,
  );
  expect(empty).toEqual([]);
  expect(all.profile).toMatchObject([{ id: user.id, email: user.email, full_name: "Ada Lovelace-Byron" }]);
  expect(all.heartbeats).toHaveLength(110);
  expect(all.points_ledger).toHaveLength(110 + 4);
  expect(all.points_ledger).toContainEqual(expect.objectContaining({ comment: "Post: What Ada wrote about looms" }));
  expect(all.referrals).toMatchObject([{ friend_email: "friend@mail.example" }]);
  expect(all.security_activity).toContainEqual(expect.objectContaining({ kind: "data-exported" }));
  // This email expires when the account is deleted, and a notice after a week.
  expect(all.waiting_mail).toContainEqual(
    expect.objectContaining({ subject: "Your account will be deleted", expires_at: deletionDueAt }),
  );
  const notice = all.waiting_mail.find(({ subject }) => subject === "New sign-in to your account");
  const signIn = all.security_activity.find(({ kind }) => kind === "signed-in-on-new-device");
  expect(Date.parse(String(notice?.expires_at)) - Date.parse(String(signIn?.occurred_at))).toBe(7 * 24 * 3_600_000);
  const text = JSON.stringify(exported);
  const isShown = (each: string) => text.includes(JSON.stringify(each).slice(1, -1));
  // The address without its tag is kept only for comparison, and the network only without its last part.
  expect(personal.filter((each) => !isShown(each))).toEqual(["198.51.100.7", "adalovelace@mail.example"]);
});

test("the export contains no secret, and of other members only what the pages show", async () => {
  const second = await seedAdministrator(api.deps);
  const { token, signedIn, deviceKey, inviter, friend } = await seedFullMember(api, clock);
  const by = { token: second.token };
  const [asked] = (await api.read(readAdjustmentRequests, { ...by, query: { show: "waiting" } })).items;
  const reason = "I have seen the log of the outage";
  await api.read(approveAdjustment, { ...by, params: { id: asked?.id ?? "" }, body: { reason } });
  const text = JSON.stringify(await read(token));
  expect(text).toContain(reason);
  const { rows } = await db.execute<{ hash: string }>(sql`
    select encode(token_hash, 'hex') as hash from sessions union select encode(token_hash, 'hex') from known_devices
    union select encode(key_hash, 'hex') from node_devices union select encode(code_hash, 'hex') from sign_ups
    union select encode(link_hash, 'hex') from password_resets union select password_hash from users`);
  expect(rows.length).toBeGreaterThan(6);
  const secrets = [token, signedIn, deviceKey, ...rows.map(({ hash }) => hash)];
  expect(secrets.flatMap(listEncodings).filter((form) => text.includes(form))).toEqual([]);
  const others = [inviter.user.email, inviter.user.personal_code ?? "", friend.user.id, friend.user.wallet ?? ""];
  others.push(asked?.requestedBy.id ?? "", second.user.id);
  expect(others.filter((each) => text.includes(each))).toEqual([]);
});

test("the export omits the address of a friend who was refused or has left, like the referrals page", async () => {
  const [inviter, friend, gone] = [
    await seedMember(api.deps, { email: "ada@example.com" }),
    await seedMember(api.deps, { email: "ada+2@example.com" }),
    await seedMember(api.deps),
  ];
  const join = ({ user }: typeof friend) =>
    inTransaction(db, (tx) => recordReferral(tx, { inviterId: inviter.user.id, inviteeId: user.id, at: clock.now() }));
  const id = (await join(friend)) ?? "";
  expect((await read(inviter.token)).referrals).toMatchObject([{ id, friend_email: friend.user.email }]);

  await refuseHeld(api.deps, { actor: OPERATOR, reason: "The same person" }, { id });
  expect((await api.read(readReferrals, { token: inviter.token })).referrals).toEqual([]);
  expect((await read(inviter.token)).referrals).toMatchObject([{ id, review: "refused", friend_email: null }]);
  const left = await join(gone);
  await eraseAtOnce(api.deps, gone.user.id);
  expect((await read(inviter.token)).referrals).toContainEqual(
    expect.objectContaining({ id: left, friend_email: null }),
  );
});

test("each export is recorded, and the sixth in a row is rate limited", async () => {
  const { token } = await seedMember(api.deps);
  for (let time = 0; time < 5; time += 1) expect((await read(token)).format).toBe("nodebeat-data-export");
  const { status, headers } = await api.call(exportData, { token });
  expect([status, headers.get("Retry-After")]).toEqual([429, "600"]);
  const { events } = await api.read(readSecurityActivity, { token });
  expect(events.filter(({ kind }) => kind === "data-exported")).toHaveLength(5);
});

test("the export requires a session", async () => {
  const { deviceKey } = await seedFullMember(api, clock);
  expect((await api.call(exportData, { token: deviceKey })).status).toBe(401);
  expect((await api.call(exportData)).status).toBe(401);
});

test("a long history is streamed in chunks, with each row once", async () => {
  const { token, user } = await seedMember(api.deps);
  await addMonth(db, "heartbeats", new Date("2020-01-01"));
  await addMonth(db, "heartbeats", new Date("2020-02-01"));
  await db.execute(sql`
    insert into heartbeats (user_id, slot_at, beat_at)
    select ${user.id}, at, at from generate_series(timestamptz '2020-01-01', timestamptz '2020-02-20', '15 minutes') as at`);
  const response = await api.fetch(
    new Request(`http://api.test${exportData.path}`, { headers: { Authorization: `Bearer ${token}` } }),
  );
  const pieces: string[] = [];
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) pieces.push(piece);
  const { heartbeats } = DataExport.parse(JSON.parse(pieces.join("")));
  expect(heartbeats).toHaveLength(50 * 96 + 1);
  expect(new Set(heartbeats.map((beat) => beat.slot_at)).size).toBe(50 * 96 + 1);
  const whole = pieces.join("").length;
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(whole / 4);
});
