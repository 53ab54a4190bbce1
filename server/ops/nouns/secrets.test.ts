import { sql, type SQLWrapper } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { createMailbox, tokenOf } from "../../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import * as contract from "../../auth/contract.ts";
import { sendCampaignEmail } from "../../campaign-mail/contract.ts";
import {
  backgroundJobs,
  departedMailboxes,
  passwordResets,
  sessions,
  signUps,
  webhookEndpoints,
} from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { requestEmailChange } from "../../email-change/contract.ts";
import { createUnsubscribeCode, readUnsubscribeCode } from "../../mailed-code/unsubscribe-code.ts";
import { listMailboxHashes } from "../../mailed-code/former-keys.ts";
import { readUser } from "../../profile/contract.ts";
import { createSeal } from "../../secrets/seal.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { PROVIDER_SESSIONS } from "../../auth/provider/supabase-client.ts";
import { addWebhook, rotateWebhook } from "../../webhooks/endpoints.ts";
import { openOutgoing } from "../../webhooks/outgoing.ts";
import { BY_OPERATOR } from "../../../tests/support/api/administration.ts";
import { readJson, startOperator } from "../operator.fixture.ts";
import { describeSealing, findSealed } from "../rotation/queries.ts";
import { rotate } from "../rotation/service.ts";

const FORMER = "the secret of before, long enough for a key";
const PRESENT = "the secret of today, long enough for a key";
const HOUR = 60 * 60_000;
const email = "ada@nodebeat.test";

const database = await createTestDatabase();
const clock = createTestClock();
beforeEach(() => database.reset());
afterAll(() => database.close());

/** Starts a process of the installation that knows these secrets. */
function start(secrets: Secrets) {
  const api = createTestApi(database, { now: clock.now, secrets });
  return {
    ...api,
    ops: () => startOperator({ ...api.deps, secrets: async () => secrets }),
    mailbox: createMailbox(api.deps),
  };
}
type Process = ReturnType<typeof start>;

async function askForAccount({ read }: Process) {
  const { turnstileToken } = await read(contract.issueBotCheck);
  clock.advance(300);
  const { signupToken } = await read(contract.signUp, { body: { email, password: TEST_PASSWORD, turnstileToken } });
  return signupToken;
}

test("while a secret is replaced, members stay signed in, and emailed links and queued emails keep working", async () => {
  const before = start([FORMER]);
  const { token } = await seedMember(before.deps);
  const { turnstileToken } = await before.read(contract.issueBotCheck);
  await askForAccount(before);
  const preparing = start([FORMER, PRESENT]);
  const after = start([PRESENT, FORMER]);

  for (const each of [preparing, after]) expect(await each.call(readUser, { token })).toMatchObject({ status: 200 });
  // A form that was already open works, whichever process gets it.
  const body = { email: "bob@nodebeat.test", password: TEST_PASSWORD, turnstileToken };
  expect(await after.call(contract.signUp, { body })).toMatchObject({ status: 200 });
  // A process that still signs with the former secret can read what another one made with the new secret.
  const { code = "" } = await preparing.mailbox.read("bob@nodebeat.test");
  expect(code).toMatch(/^\d{6}$/);
  const mail = await preparing.mailbox.read(email);
  expect(await after.call(contract.verify, { body: { token: tokenOf(mail) } })).toMatchObject({ status: 200 });
});

test("a code made with the former secret works, and resending its email keeps the same link", async () => {
  const before = start([FORMER]);
  const token = await askForAccount(before);
  const first = await before.mailbox.read(email);
  const after = start([PRESENT, FORMER]);
  clock.advance(60_000);
  await after.read(contract.resendVerification, { body: { token } });
  const second = await after.mailbox.read(email);
  expect(tokenOf(second)).toBe(tokenOf(first));
  const verified = await after.read(contract.verify, { body: { token, verificationCode: second.code ?? "" } });
  expect(verified.user.email).toBe(email);
});

test("a code made with the former secret works without a resend, as long as that secret is known", async () => {
  const before = start([FORMER]);
  const token = await askForAccount(before);
  const { code = "" } = await before.mailbox.read(email);
  const body = { token, verificationCode: code };
  expect(await start([PRESENT]).call(contract.verify, { body })).toMatchObject({ status: 400 });
  expect(await start([PRESENT, FORMER]).call(contract.verify, { body })).toMatchObject({ status: 200 });
});

test("rotation reseals what is stored and says when the former secret can be removed", async () => {
  const before = start([FORMER]);
  const { token, user } = await seedMember(before.deps, { email: "eve@nodebeat.test" });
  const { turnstileToken } = await before.read(contract.issueBotCheck);
  clock.advance(300);
  await before.read(contract.forgotPassword, { body: { email: user.email, turnstileToken } });
  // Three codes, mailed at the same moment.
  await askForAccount(before);
  const next = { email: "eve.next@nodebeat.test", password: TEST_PASSWORD };
  await before.read(requestEmailChange, { token, body: next });
  await before.read(sendCampaignEmail, { token, body: { email: "eve.news@nodebeat.test" } });
  const sealedBefore = createSeal([FORMER], PROVIDER_SESSIONS);
  const [session] = await database.db.select().from(sessions);
  const id = session?.id ?? "";
  await database.db.update(sessions).set({ providerSession: sealedBefore.seal(id, "{}") });
  const signUpId = (await database.db.select().from(signUps))[0]?.id ?? "";
  await database.db.update(signUps).set({ sealedPassword: sealedBefore.seal(signUpId, "{}") });
  const resetId = (await database.db.select().from(passwordResets))[0]?.id ?? "";
  await database.db.update(passwordResets).set({ providerSession: sealedBefore.seal(resetId, "{}") });
  await database.db.insert(departedMailboxes).values({
    mailboxHash: before.deps.mailed.hashMailbox("gone@nodebeat.test"),
    departedAt: clock.now(),
  });
  const wayOut = createUnsubscribeCode(before.deps, "silenceLink", user.id);

  const after = start([PRESENT, FORMER]);
  const ops = await after.ops();
  expect(await ops("secrets", "status")).toContain("queued emails: 0 with SESSION_SECRET, 4 with the other one");
  const rotatedAt = clock.now();
  expect(readJson(await ops("secrets", "rotate", "--json"))).toMatchObject({
    sealed: {
      letters: { present: 4, other: 0 },
      sessions: { present: 1, other: 0 },
      recoveries: { present: 1, other: 0 },
      signUps: { present: 1, other: 0 },
    },
    openCodes: 3,
    // When the codes expire, a day after they were mailed.
    endsAt: new Date(rotatedAt.getTime() + 24 * HOUR).toISOString(),
  });
  // What a process with the former secret has sealed since then would be lost without it.
  const late = { to: "eve@nodebeat.test", subject: "Late", paragraphs: [], note: "" };
  await inTransaction(database.db, (tx) => before.deps.outbox.post(tx, late));
  const status = readJson(await ops("secrets", "status", "--json"));
  expect(status).toMatchObject({ sealed: { letters: { other: 1 } }, endsAt: null });
  await ops("secrets", "rotate");

  const later = start([PRESENT]);
  expect(await later.mailbox.read(email)).toMatchObject({ code: expect.stringMatching(/^\d{6}$/) });
  expect(
    createSeal([PRESENT], PROVIDER_SESSIONS)
      .open(id, (await readSealed()) ?? Buffer.alloc(0))
      .trim(),
  ).toBe("{}");
  const [waiting] = await database.db.select().from(signUps);
  const sealed = waiting?.sealedPassword ?? Buffer.alloc(0);
  expect(createSeal([PRESENT], PROVIDER_SESSIONS).open(signUpId, sealed).trim()).toBe("{}");
  expect(await readUnsubscribeCode(later.deps, "silenceLink", wayOut)).toBe(user.id);
  const known = await listMailboxHashes(later.deps, "gone@nodebeat.test");
  expect(known).toContainEqual(before.deps.mailed.hashMailbox("gone@nodebeat.test"));
  // Rotate once more, with a third secret.
  const tomorrow = start(["the secret of tomorrow, long enough for a key", PRESENT]);
  await (
    await tomorrow.ops()
  )("secrets", "rotate");
  const last = start(["the secret of tomorrow, long enough for a key"]);
  expect(await readUnsubscribeCode(last.deps, "silenceLink", wayOut)).toBe(user.id);
});

const readSealed = async () =>
  (await database.db.select().from(sessions)).find((each) => each.providerSession)?.providerSession;

test("rotation reseals the secrets of webhooks, the previous ones included", async () => {
  const before = start([FORMER]);
  const { id } = await addWebhook(before.deps, BY_OPERATOR, { url: "https://a.example/", events: ["member.verified"] });
  const { secret } = await rotateWebhook(before.deps, BY_OPERATOR, { id });
  const ops = await start([PRESENT, FORMER]).ops();
  expect(await ops("secrets", "status")).toContain("secrets of webhooks: 0 with SESSION_SECRET, 1 with the other one");
  expect(readJson(await ops("secrets", "rotate", "--json"))).toMatchObject({
    sealed: { webhooks: { present: 1, other: 0 }, formerWebhooks: { present: 1, other: 0 } },
  });
  const [kept] = await database.db.select().from(webhookEndpoints);
  const { seal } = openOutgoing([PRESENT], { toPrivate: false });
  expect(seal.open(id, kept?.secret ?? Buffer.alloc(0)).trim()).toBe(secret);
  expect(seal.open(id, kept?.previousSecret ?? Buffer.alloc(0)).trim()).not.toBe(secret);
});

async function explain(query: SQLWrapper): Promise<string> {
  const { rows } = await inTransaction(database.db, async (tx) => {
    for (const way of ["seqscan", "bitmapscan"]) await tx.execute(sql.raw(`set local enable_${way} = off`));
    return tx.execute(sql`explain (costs off) ${query}`);
  });
  return JSON.stringify(rows);
}

test("rotation reseals each of many sessions and finds it by its key", async () => {
  const before = start([FORMER]);
  const seal = createSeal([FORMER], PROVIDER_SESSIONS);
  const members = [await seedMember(before.deps), await seedMember(before.deps)];
  const many = Array.from({ length: 1100 }, (_, index) => {
    const id = crypto.randomUUID();
    const userId = members[index % 2]?.user.id ?? "";
    return { userId, id, tokenHash: Buffer.from(id), expiresAt: clock.now(), providerSession: seal.seal(id, "{}") };
  });
  await database.db.insert(sessions).values(many);
  const ops = await start([PRESENT, FORMER]).ops();
  expect(readJson(await ops("secrets", "rotate", "--json"))).toMatchObject({
    sealed: { sessions: { present: many.length, other: 0, unreadable: 0 } },
  });

  const [first, second] = await findSealed(database.db, "sessions", undefined);
  if (!first || !second) throw new Error("There are many");
  const reading = await explain(findSealed(database.db, "sessions", first.key));
  expect(reading).toContain("Index Cond: (ROW(user_id, id) > ROW(");
  expect(reading).not.toContain("Sort");
  const sealing = { kind: "sessions", key: first.key, was: first.sealed, sealed: second.sealed } as const;
  expect(await explain(describeSealing(sealing))).toMatch(/Index Cond: \(\(user_id = \S+ AND \(id = /);
});

test("a reset link that was mailed before a rotation still opens after it", async () => {
  const before = start([FORMER]);
  const { user } = await seedMember(before.deps);
  const { turnstileToken } = await before.read(contract.issueBotCheck);
  clock.advance(300);
  await before.read(contract.forgotPassword, { body: { email: user.email, turnstileToken } });
  const token = tokenOf(await before.mailbox.read(user.email));
  const ops = await start([PRESENT, FORMER]).ops();
  await ops("secrets", "rotate");
  expect(await start([PRESENT]).call(contract.openRecovery, { body: { token } })).toMatchObject({ status: 200 });
});

test("the other secret is needed as long as it seals a kept key, such as after two rotations back and forth", async () => {
  const [there, back] = [await start([PRESENT, FORMER]).ops(), await start([FORMER, PRESENT]).ops()];
  await there("secrets", "rotate");
  await back("secrets", "rotate");
  expect(readJson(await there("secrets", "status", "--json"))).toMatchObject({ rotatedAt: null, endsAt: null });
  expect(readJson(await there("secrets", "rotate", "--json"))).toMatchObject({ endsAt: expect.any(String) });
});

test("rotation reports its progress for each kind of sealed value", async () => {
  await askForAccount(start([FORMER]));
  const told: string[] = [];
  const { deps } = start([PRESENT, FORMER]);
  await rotate({ ...deps, secrets: async () => [PRESENT, FORMER], report: (line) => void told.push(line) });
  expect(told.slice(0, 2)).toEqual(["Looked at queued emails: 1.", "Looked at sessions at Supabase: 0."]);
  // Once to seal again, and once to count what is left.
  expect(told).toHaveLength(12);
});

test("without the former secret, sessions last, open forms are refused, and a resent email works", async () => {
  const before = start([FORMER]);
  const { token } = await seedMember(before.deps);
  const waiting = await askForAccount(before);
  const { turnstileToken } = await before.read(contract.issueBotCheck);
  const after = start([PRESENT]);
  expect(await after.call(readUser, { token })).toMatchObject({ status: 200 });
  const body = { email, password: TEST_PASSWORD, turnstileToken };
  expect(await after.call(contract.login, { body })).toMatchObject({
    status: 422,
    body: { error: "BOT_CHECK_FAILED" },
  });
  // A member who asks for the mail again gets a code and a link that work.
  clock.advance(60_000);
  await after.read(contract.resendVerification, { body: { token: waiting } });
  await database.db.delete(backgroundJobs);
  clock.advance(120_000);
  await after.read(contract.resendVerification, { body: { token: waiting } });
  const mail = await after.mailbox.read(email);
  expect(await after.call(contract.verify, { body: { token: tokenOf(mail) } })).toMatchObject({ status: 200 });
});

test("refuses to rotate with only one secret", async () => {
  const ops = await start([PRESENT]).ops();
  expect(await ops("secrets", "rotate")).toBe(
    "1 There is only one secret: put the former one into SESSION_SECRET_OTHER.",
  );
  expect(await ops("secrets", "status")).toContain("There is only one secret.");
});
