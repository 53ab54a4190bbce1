import { eq, isNotNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createTestDeps, fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { deliverDue } from "../../tests/support/api/jobs.ts";
import { createMailbox, tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { forgotPassword, signUp, verify } from "../auth/contract.ts";
import { backgroundJobs } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { createLog } from "../log/log.ts";
import type { RenderedEmail } from "./email.ts";
import { createOutbox } from "./outbox.ts";
import { MailRefused } from "./transport.ts";

const HOUR = 60 * 60 * 1000;
const origin = "https://nodebeat.example";
const lines: string[] = [];
const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
// In the past, so that what has expired by this clock has expired by the database's clock too.
const { api, clock, database } = await openTestApi({ log }, "2026-01-20T12:00:00.000Z");
const { db } = api.deps;
const { deps } = api;

beforeEach(() => void (lines.length = 0));

const createEmail = (to: string) => ({
  to,
  subject: 'Hello <you> & "yours"',
  paragraphs: ["One & <two>"],
  action: { label: "Go", path: "/auth" as const },
  note: "A note",
});

const post = (to: string, hours = 24) =>
  inTransaction(db, (tx) => deps.outbox.post(tx, createEmail(to), new Date(clock.now().getTime() + hours * HOUR)));

/** Returns the last errors of the mails that were given up. */
const readDead = async () =>
  (await db.select().from(backgroundJobs).where(isNotNull(backgroundJobs.deadAt))).map(({ lastError }) => lastError);

/** Creates a delivery that calls `send` for each mail and records it. */
function createWayOut(send: (mail: RenderedEmail) => Promise<void> = async () => {}) {
  const mails: RenderedEmail[] = [];
  async function attempt(mail: RenderedEmail) {
    mails.push(mail);
    await send(mail);
  }
  return { mails, delivery: { origin, transport: { send: attempt, close() {} } } };
}

test("sends an email once, as text and HTML, with links to the product's address", async () => {
  await post("ada@nodebeat.test");
  const { mails, delivery } = createWayOut();

  expect([await deliverDue(deps, delivery), await deliverDue(deps, delivery)]).toEqual([1, 0]);

  expect(mails).toMatchObject([{ to: "ada@nodebeat.test", link: "https://nodebeat.example/auth" }]);
  expect(mails[0]?.text).toContain("One & <two>\n\nGo:\nhttps://nodebeat.example/auth");
  expect(mails[0]?.html).toContain("<p>One &amp; &lt;two&gt;</p>");
  expect(mails[0]?.html).toContain("<h1>Hello &lt;you&gt; &amp; &quot;yours&quot;</h1>");
  expect(mails[0]?.html).toContain("prefers-color-scheme: dark");
  expect(mails[0]?.html).not.toMatch(/<table|<img|src=|@import|url\(/);
  expect(await db.$count(backgroundJobs)).toBe(0);
});

test("a transaction that rolls back sends no email", async () => {
  const undone = inTransaction(db, async (tx) => {
    await deps.outbox.post(tx, createEmail("ada@nodebeat.test"), new Date(clock.now().getTime() + HOUR));
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await deliverDue(deps, createWayOut().delivery)).toBe(0);
});

test("if a process dies while sending, the next one sends the same code and link, and they work", async () => {
  const turnstileToken = await fillForm(api, clock);
  const body = { email: "ada@nodebeat.test", password: TEST_PASSWORD, turnstileToken };
  const { signupToken } = await api.read(signUp, { body });

  // It dies while sending: the mail may have left or not.
  const dying = createWayOut(() => new Promise(() => {}));
  void deliverDue(deps, dying.delivery);
  const next = createTestDeps(database, { now: clock.now });
  const mailbox = createMailbox(next);
  await expect.poll(() => dying.mails.length).toBe(1);
  await mailbox.deliver();
  expect(mailbox.mails).toEqual([]);
  clock.advance(2 * 60_000);
  const mail = await mailbox.read("ada@nodebeat.test");

  expect(mail).toMatchObject({ id: dying.mails[0]?.id, code: dying.mails[0]?.code });
  expect(tokenOf(mail)).toBe(tokenOf(dying.mails[0] ?? {}));
  expect(await api.call(verify, { body: { token: signupToken, verificationCode: mail.code } })).toMatchObject({
    status: 200,
  });
});

test("a response does not wait for its email and needs no mail server", async () => {
  const turnstileToken = await fillForm(api, clock);
  const body = { email: "ada@nodebeat.test", password: TEST_PASSWORD, turnstileToken };
  expect(await api.call(signUp, { body })).toMatchObject({ status: 200 });
  expect(await db.$count(backgroundJobs)).toBe(1);
});

test("concurrent processes share the queue and send each email once", async () => {
  const addresses = Array.from({ length: 35 }, (_, index) => `member-${index}@nodebeat.test`);
  for (const address of addresses) await post(address);
  const { mails, delivery } = createWayOut();

  expect(await deliverDue(deps, delivery)).toBe(10);
  await Promise.all(Array.from({ length: 6 }, () => deliverDue(deps, delivery)));

  // A process that finds the first rows locked skips them, and may then leave some.
  while ((await deliverDue(deps, delivery)) > 0);
  expect(mails.map(({ to }) => to).sort()).toEqual(addresses.toSorted());
});

test("retries an email that cannot be sent, with growing delays, until it expires", async () => {
  await post("ada@nodebeat.test", 2);
  const { mails, delivery } = createWayOut(() => Promise.reject(new Error("451 try later")));
  const pauses: number[] = [];
  for (let waited = 0, attempts = 0; waited <= 2 * HOUR; waited += 10_000, clock.advance(10_000)) {
    await deliverDue(deps, delivery);
    if (mails.length === attempts) continue;
    pauses.push(waited / 1000);
    attempts = mails.length;
  }

  const waits = pauses.slice(1).map((pause, index) => pause - (pauses[index] ?? 0));
  for (const [index, longest] of [10, 30, 90, 270, 810].entries()) {
    // The test's clock moves in steps of ten seconds.
    expect(waits[index]).toBeGreaterThanOrEqual(longest / 2);
    expect(waits[index]).toBeLessThanOrEqual(longest + 10);
  }
  expect(new Set(mails.map(({ id }) => id)).size).toBe(1);
  clock.advance(HOUR);
  await deliverDue(deps, delivery);
  expect(mails).toHaveLength(pauses.length);
  expect(await readDead()).toEqual(["451 try later"]);
  expect(lines.join("")).toContain("451 try later");
  expect(lines.at(-1)).toContain("a job was not done in time: it is given up");
  expect(lines.join("")).not.toContain("ada@");
});

test("a process that fails late does not postpone an email that another has taken over", async () => {
  await post("ada@nodebeat.test");
  const [slow, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = createWayOut(() => slow.promise);
  const second = createWayOut(() => next.promise);
  const failing = deliverDue(deps, first.delivery);
  await expect.poll(() => first.mails.length).toBe(1);
  clock.advance(2 * 60_000);
  const sending = deliverDue(deps, second.delivery);
  await expect.poll(() => second.mails.length).toBe(1);
  const [taken] = await db.select().from(backgroundJobs);

  clock.advance(60_000);
  slow.reject(new Error("the connection was lost"));
  await failing;
  expect(await db.select().from(backgroundJobs)).toEqual([taken]);
  next.resolve();
  await sending;
  expect(await db.$count(backgroundJobs)).toBe(0);
});

test("the size of a queued email does not reveal which kind it is", async () => {
  await seedMember(deps, { email: "ada@nodebeat.test" });
  for (const endpoint of [signUp, forgotPassword]) {
    for (const email of ["ada@nodebeat.test", "somebody.with.a.longer.address@mail.nodebeat.test"]) {
      const turnstileToken = await fillForm(api, clock);
      expect(await api.call(endpoint, { body: { email, password: TEST_PASSWORD, turnstileToken } })).toMatchObject({
        status: 200,
      });
    }
  }
  const rows = await db.select().from(backgroundJobs);
  const subjects = rows.map(({ key, payload }) => payload && deps.outbox.open(key, payload)?.subject);
  expect(new Set(subjects).size).toBe(4);
  expect(new Set(rows.map(({ payload }) => payload?.length)).size).toBe(1);
});

test("an email that is refused permanently is not retried and does not hold up others", async () => {
  await post("nobody@nodebeat.test");
  await post("ada@nodebeat.test");
  const { mails, delivery } = createWayOut(async ({ to }) => {
    if (to.startsWith("nobody")) throw new MailRefused("550 no such mailbox");
  });

  expect(await deliverDue(deps, delivery)).toBe(2);

  expect(mails).toHaveLength(2);
  expect(await readDead()).toEqual(["550 no such mailbox"]);
  clock.advance(HOUR);
  expect(await deliverDue(deps, delivery)).toBe(0);
});

test("gives up an email sealed with another secret or moved to another row, and stores the reason", async () => {
  const other = createOutbox({ ...api.deps, secrets: ["another secret"] });
  await inTransaction(db, (tx) =>
    other.post(tx, createEmail("ada@nodebeat.test"), new Date(clock.now().getTime() + HOUR)),
  );
  await post("bob@nodebeat.test");
  const [, moved] = await db.select().from(backgroundJobs).orderBy(backgroundJobs.key);
  if (!moved) throw new Error("Two mails were queued.");
  const key = "0192f000-0000-7000-8000-000000000000";
  await db.update(backgroundJobs).set({ key }).where(eq(backgroundJobs.key, moved.key));
  const { mails, delivery } = createWayOut();

  await deliverDue(deps, delivery);

  expect(mails).toEqual([]);
  const reason = "a mail cannot be opened: was it queued with another SESSION_SECRET?";
  expect(await readDead()).toEqual([reason, reason]);
});

test("an undelivered email is deleted a week after it expired", async () => {
  await post("ada@nodebeat.test", 1);
  await post("bob@nodebeat.test", 2);
  clock.advance(7 * 24 * HOUR + HOUR + 1);
  expect(await pruneExpired(deps)).toMatchObject({ jobs: 1 });
  expect(await pruneExpired(deps)).toMatchObject({ jobs: 0 });
  expect(await db.$count(backgroundJobs)).toBe(1);
});
