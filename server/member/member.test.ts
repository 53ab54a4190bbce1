import { keccak256, toHex } from "viem";
import { afterAll, expect, test } from "vitest";
import { createTestDeps, createTestClock, seedMember } from "../../tests/support/api/api.ts";
import { accountAt } from "../../tests/support/chain/anvil.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import type { Job } from "../chain/chain-gateway.ts";
import { submit } from "../chain/submit.ts";
import { chainJobs } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { eq } from "drizzle-orm";
import { hasStartedDeployment, readMember } from "./member.ts";

const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock();
const deps = createTestDeps(database, { now: clock.now });
afterAll(() => database.close());

let nonces = 0;
const deploy = (userId: string) =>
  inTransaction(db, (tx) => {
    const nonce = String((nonces += 1));
    const consent = { userId, owner: accountAt(4).address, nonce, signature: "0x34" } as const;
    return submit(tx, consent, { digest: keccak256(toHex(nonce)), at: clock.now() });
  });
const fail = ({ id }: Job) => db.update(chainJobs).set({ state: "failed" }).where(eq(chainJobs.id, id));

test("a member's own deployment that did not fail counts, and otherwise the last one", async () => {
  const [{ user }, { user: other }] = [await seedMember(deps), await seedMember(deps)];
  expect(hasStartedDeployment(await readMember(db, user.id))).toBe(false);
  const first = await deploy(user.id);
  expect(hasStartedDeployment(await readMember(db, user.id))).toBe(true);
  await fail(first);
  const failed = await readMember(db, user.id);
  expect([hasStartedDeployment(failed), failed.latestJobs.deploy?.id]).toEqual([false, first.id]);

  // Created at the same instant: the one that was written later counts.
  const second = await deploy(user.id);
  await deploy(other.id);
  const member = await readMember(db, user.id);
  expect(member.jobs.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(member.latestJobs).toEqual({ deploy: second });
  await fail(second);
  expect((await readMember(db, user.id)).latestJobs.deploy?.id).toBe(second.id);

  // A clock that was set back makes no difference.
  clock.advance(-60_000);
  const third = await deploy(user.id);
  const later = await readMember(db, user.id);
  expect([hasStartedDeployment(later), later.latestJobs.deploy?.id]).toEqual([true, third.id]);
});

test("throws NOT_FOUND if there is no such member", async () => {
  await expect(readMember(db, crypto.randomUUID())).rejects.toMatchObject({ code: "NOT_FOUND" });
});
