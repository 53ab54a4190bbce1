import { eq, gt, like, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { FAR_AHEAD, seedMember } from "../../tests/support/api/api.ts";
import { createAccount, createMachineId, seedChainMember } from "../../tests/support/chain/chain-member.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { backgroundJobs, chainJobs, machineIdentities, users } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueue } from "../jobs/queries.ts";
import { reviveJob } from "../jobs/queue.queries.ts";
import { readSmartAccount } from "../machine-id/contract.ts";
import * as contract from "./contract.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;
let token: string;
beforeEach(async () => {
  ({ token } = await seedAdministrator(api.deps));
});

const reason = "The mail server was away";
const payload = Buffer.from("to ada@example.com: your code is 123456");

/** Queues emails that were given up, one that waits, one that is running, and a deletion. */
async function fill(dead = 3) {
  const [now, later] = [clock.now(), new Date(clock.now().getTime() + 60_000)];
  const gone = Array.from({ length: dead }, (_, nth) => `m${nth}`);
  await inTransaction(db, async (tx) => {
    for (const key of [...gone, "n-waits", "o-in-hand"])
      await enqueue(tx, { kind: "mail", key, payload, dueAt: later, expiresAt: later });
    await enqueue(tx, { kind: "erase-account", key: "u1", dueAt: later });
  });
  const died = { deadAt: now, attempts: 3, lastError: "the mailbox is full" };
  for (const key of gone) await db.update(backgroundJobs).set(died).where(eq(backgroundJobs.key, key));
  await db.update(backgroundJobs).set({ lease: crypto.randomUUID() }).where(eq(backgroundJobs.key, "o-in-hand"));
}

const list = async (query: object) => {
  const { items } = await api.read(contract.readBackgroundJobs, { token, query: { ...query } });
  return items.map(({ kind, key, state }) => `${kind} ${key}: ${state}`);
};
const retry = (kind: string, key: string) =>
  api.call(contract.retryBackgroundJob, { token, body: { kind, key, reason } });
const remove = (key: string) => api.call(contract.removeEmail, { token, body: { key, reason } });

test("lists jobs that were given up or are waiting, never their payload", async () => {
  await fill(1);
  expect(await list({})).toEqual(["mail m0: given up"]);
  expect(await list({ show: "all" })).toEqual([
    "mail m0: given up",
    "mail n-waits: waiting",
    "mail o-in-hand: in hand",
  ]);
  expect(await list({ queue: "other", show: "all" })).toEqual(["erase-account u1: waiting"]);
  const { body } = await api.call(contract.readBackgroundJobs, { token, query: { show: "all" } });
  expect(JSON.stringify(body)).not.toMatch(/ada|123456|payload|recipient/);
});

test("paging through the jobs skips none", async () => {
  await fill(5);
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await api.read(contract.readBackgroundJobs, { token, query: { limit: 2, after } });
    seen.push(...page.items.map(({ key }) => key));
    after = page.next ?? undefined;
  } while (after);
  expect(seen).toEqual(["m0", "m1", "m2", "m3", "m4"]);
});

test("an email that is tried again gets 24 hours, also where the database's clocks are set back", async () => {
  await fill(1);
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local timezone = 'Europe/Berlin'`);
    await reviveJob(tx, { kind: "mail", key: "m0" }, new Date("2027-10-30T23:00:00Z"));
  });
  const [revived] = await db.select().from(backgroundJobs).where(eq(backgroundJobs.key, "m0"));
  expect(revived?.expiresAt).toEqual(new Date("2027-10-31T23:00:00Z"));
});

test("an administrator can retry one email that was given up, or all of them", async () => {
  await fill();
  const inDays = (days: number) => new Date(clock.now().getTime() + days * 24 * 60 * 60_000);
  const [tomorrow, later] = [inDays(1), inDays(7)];
  await db.update(backgroundJobs).set({ expiresAt: later }).where(eq(backgroundJobs.key, "m0"));
  expect((await retry("mail", "m1")).status).toBe(200);
  expect(await retry("mail", "o-in-hand")).toMatchObject({ status: 409 });
  expect(await retry("mail", "nobody")).toMatchObject({ status: 404 });
  expect(await api.read(contract.retryEmails, { token, body: { reason } })).toEqual({ retried: 2 });
  expect(await api.read(contract.retryEmails, { token, body: { reason } })).toEqual({ retried: 0 });
  expect(await list({})).toEqual([]);
  const emails = db.select().from(backgroundJobs).where(like(backgroundJobs.key, "m%"));
  const revived = await emails.orderBy(backgroundJobs.key);
  expect(revived[2]).toMatchObject({ dueAt: clock.now(), attempts: 0, deadAt: null, payload });
  expect(revived.map(({ expiresAt }) => expiresAt)).toEqual([later, tomorrow, tomorrow]);
  const entries = await readAudit(db);
  expect(entries.map(({ action, subjectId }) => `${action} ${subjectId}`).toSorted()).toEqual([
    "job.retried mail m0",
    "job.retried mail m1",
    "job.retried mail m2",
  ]);
});

test("only emails that were given up can be removed", async () => {
  await fill();
  expect(await remove("n-waits")).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("may still be sent") },
  });
  expect((await remove("m0")).status).toBe(200);
  expect((await remove("m0")).status).toBe(404);
  expect((await remove("u1")).status).toBe(404);
  expect(await db.$count(backgroundJobs)).toBe(5);
  expect((await readAudit(db)).map(({ action }) => action)).toEqual(["job.dropped"]);
});

/** Makes the chain refuse the queued job of a kind. Returns its id. */
async function refuse(kind: "deploy" | "execute") {
  const [job] = await db.select().from(chainJobs).where(eq(chainJobs.kind, kind));
  const id = job?.id ?? "";
  const sent = { sender: "0x1111111111111111111111111111111111111111", senderNonce: 7, sentAt: clock.now() };
  const refused = {
    ...sent,
    state: "failed",
    errorName: "InsufficientFactoryBalance",
    txHash: "0xdead",
    failedAt: clock.now(),
  } as const;
  await db.update(chainJobs).set(refused).where(eq(chainJobs.id, id));
  await db.delete(backgroundJobs).where(eq(backgroundJobs.key, id));
  return id;
}

/** Creates a member whose deployment the chain has refused. */
async function refuseDeployment() {
  const member = await seedChainMember(api.deps);
  await createAccount(api, member);
  return { id: await refuse("deploy"), member };
}

const readJob = (id: string) => api.read(contract.readChainJob, { token, params: { id } });
const retryChain = (id: string) => api.call(contract.retryChainJob, { token, params: { id }, body: { reason } });

test("retrying a chain job by its id in upper case queues it only once", async () => {
  const { id } = await refuseDeployment();
  for (const name of [id.toUpperCase(), id]) expect(await retryChain(name)).toMatchObject({ status: 200 });
  const turns = db.select({ key: backgroundJobs.key }).from(backgroundJobs).where(eq(backgroundJobs.kind, "chain"));
  expect(await turns).toEqual([{ key: id }]);
});

test("retrying a refused chain job queues it once and completes it", async () => {
  const { id, member } = await refuseDeployment();
  const shown = { id, state: "failed", errorName: "InsufficientFactoryBalance", txHash: "0xdead", canRetry: true };
  expect((await api.read(contract.readChainJobs, { token, query: { state: "failed" } })).items).toMatchObject([shown]);
  expect(JSON.stringify(await readJob(id))).not.toMatch(/signature|rawTx|calldata/i);

  const answers = await Promise.all(Array.from({ length: 5 }, () => retryChain(id)));
  // While it waits, making it due now changes nothing.
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await readJob(id)).toMatchObject({
    state: "queued",
    errorName: null,
    txHash: null,
    // It gets its own nonce, and never expires.
    sender: null,
    senderNonce: null,
    sentAt: null,
    work: { state: "waiting", expiresAt: null },
    canRetry: true,
  });
  const hold = (lease: string | null) => db.update(backgroundJobs).set({ lease }).where(eq(backgroundJobs.key, id));
  await hold(crypto.randomUUID());
  expect(await readJob(id)).toMatchObject({ work: { state: "in hand" }, canRetry: false });
  expect(await retryChain(id)).toMatchObject({ status: 409, body: { message: "That is running right now." } });
  await hold(null);
  await api.deps.chain.advance();
  expect(await readJob(id)).toMatchObject({ state: "finalized", canRetry: false, work: null });
  expect(await api.read(readSmartAccount, member)).toMatchObject({ status: "completed" });
  expect(await retryChain(id)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("already done") },
  });
  const [first] = await readAudit(db);
  const details = { state: "failed", errorName: "InsufficientFactoryBalance", txHash: "0xdead" };
  expect(first).toMatchObject({ action: "job.retried", subjectId: `chain ${id}`, details, reason });
});

test("a job that is retried while the clock is ahead is due now, not at that time", async () => {
  const { id } = await refuseDeployment();
  const turns = () => db.$count(backgroundJobs, eq(backgroundJobs.key, id));
  const notYet = () => db.$count(backgroundJobs, gt(backgroundJobs.dueAt, sql`now()`));
  clock.advance(FAR_AHEAD);
  ({ token } = await seedAdministrator(api.deps, "ahead@example.com"));
  expect((await retryChain(id)).status).toBe(200);
  expect([await turns(), await notYet()]).toEqual([1, 0]);
  await db.update(backgroundJobs).set({ dueAt: clock.now() }).where(eq(backgroundJobs.key, id));
  expect((await retryChain(id)).status).toBe(200);
  expect([await turns(), await notYet()]).toEqual([1, 0]);
  clock.advance(-FAR_AHEAD);
});

test("rejects the retry of a deployment if the member has linked another wallet", async () => {
  const { id, member } = await refuseDeployment();
  await db.update(users).set({ wallet: "0xabc" }).where(eq(users.id, member.user.id));
  expect((await readJob(id)).canRetry).toBe(false);
  expect(await retryChain(id)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("another wallet") },
  });
});

test("a refused Machine ID can be retried only while the member's signature is for that one", async () => {
  const member = await seedChainMember(api.deps);
  await createAccount(api, member);
  await api.deps.chain.advance();
  await createMachineId(api, member);
  const id = await refuse("execute");
  expect((await readJob(id)).canRetry).toBe(true);
  const [asked] = await db.select().from(machineIdentities);
  for (const other of [{ nonce: "999" }, { signedAt: null }]) {
    await db.update(machineIdentities).set(other);
    expect((await readJob(id)).canRetry).toBe(false);
    expect((await retryChain(id)).status).toBe(409);
    await db.update(machineIdentities).set({ nonce: asked?.nonce ?? "", signedAt: asked?.signedAt ?? null });
  }
  expect((await retryChain(id)).status).toBe(200);
});

test("rejects the retry of a deployment that the member has started again", async () => {
  const { id, member } = await refuseDeployment();
  clock.advance(1000);
  expect((await createAccount(api, member)).status).toBe(200);
  expect(await retryChain(id)).toMatchObject({ status: 409 });
  expect((await api.read(contract.readChainJobs, { token })).items).toHaveLength(2);
});

test("answers 403 to a member who is not an administrator", async () => {
  const member = await seedMember(api.deps);
  const { id } = await refuseDeployment();
  const [asked, body] = [{ token: member.token }, { kind: "mail", key: "m0", reason }];
  const calls = [
    api.call(contract.readBackgroundJobs, asked),
    api.call(contract.retryBackgroundJob, { ...asked, body }),
    api.call(contract.retryEmails, { ...asked, body }),
    api.call(contract.removeEmail, { ...asked, body }),
    api.call(contract.readChainJobs, asked),
    api.call(contract.readChainJob, { ...asked, params: { id } }),
    api.call(contract.retryChainJob, { ...asked, params: { id }, body }),
  ];
  for (const { status } of await Promise.all(calls)) expect(status).toBe(403);
});
