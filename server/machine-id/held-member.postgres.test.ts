import { afterAll, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { lockOwner } from "../background-work/chain-jobs.queries.ts";
import { submit } from "../chain/submit.ts";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import { lockWallet } from "./queries.ts";

const database = await createTestDatabase();
const { db } = database;
const api = createTestApi(database);
afterAll(() => database.close());

/** Creates a member who has started a Smart Account. */
async function seedStarted() {
  const { token, user } = await seedMember(api.deps);
  const consent = { userId: user.id, owner: "0x1" as const, nonce: "1", signature: "0x1" as const };
  const job = await inTransaction(db, (tx) => submit(tx, consent, { digest: `0x${user.id}`, at: new Date() }));
  return { token, userId: user.id, jobId: job.id };
}

type Started = Awaited<ReturnType<typeof seedStarted>>;

/** Beats of many members share a transaction. If they waited for other work that earns points, it could deadlock. */
test.each<[string, (tx: Tx, member: Started) => Promise<void>]>([
  ["does something with their wallet", (tx, { userId }) => lockWallet(tx, userId)],
  ["has something tried again on the chain", (tx, { jobId }) => lockOwner(tx, jobId)],
])("while a member %s, their beats count without waiting", async (_, hold) => {
  const member = await seedStarted();
  const [held, counted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = inTransaction(db, async (tx) => {
    await hold(tx, member);
    held.resolve();
    await counted.promise;
  });
  await held.promise;
  const beats = [{ timestamp: new Date().toISOString() }];
  const { status } = await api.call(sendHeartbeats, { token: member.token, body: { beats } });
  counted.resolve();
  await holding;
  expect(status).toBe(200);
});
