import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db, Tx } from "./client.ts";
import { currentTransaction, GuardedPool } from "./guarded-pool.ts";
import { createMissingPartition } from "./months.ts";
import { findErrorCode, LOCK_NOT_AVAILABLE } from "./unavailable.ts";

/** Serialization failure and deadlock. The transaction changed nothing, and would succeed if run alone. */
const RETRIED = new Set(["40001", "40P01"]);
const ATTEMPTS = 5;

type TransactionConfig = Parameters<Db["transaction"]>[1];

/**
 * Runs work in one transaction. Retries if it lost against other transactions (at most five attempts), and after
 * creating a month's partition that was missing. So `work` may run more than once: it must do nothing that a rollback
 * does not undo, and query `tx` only.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, config?: TransactionConfig): Promise<T> {
  for (let attempt = 1; ;) {
    let lost: unknown;
    const scope = { open: true, next: new Set<() => void>(), unlimited: unlimitedOf(db) };
    try {
      // Awaited in here, because awaiting is what sends a query that `work` returns unsent.
      const result = await db.transaction((tx) => currentTransaction.run(scope, async () => await work(tx)), config);
      for (const follow of scope.next) follow();
      return result;
    } catch (error) {
      lost = error;
    } finally {
      scope.open = false;
      scope.unlimited.delete(scope);
    }
    const room = await createMissingPartition(db, lost).catch((error: unknown) => {
      lost = error;
      // Worth a retry, as when somebody else created the partition first.
      return findErrorCode(error) === LOCK_NOT_AVAILABLE ? "there" : undefined;
    });
    if (room === "made") continue;
    if (attempt === ATTEMPTS || !(room === "there" || RETRIED.has(findErrorCode(lost) ?? ""))) throw lost;
    attempt += 1;
    // Random, so that transactions that collided do not collide again.
    await wait(Math.random() * 10 * 2 ** attempt);
  }
}

const unlimitedOf = ({ $client }: Db): Set<object> =>
  $client instanceof GuardedPool ? $client.unlimited : new Set<object>();

/** Sets the time limit of each further statement in a transaction, in milliseconds. 0 means no limit. */
export async function limitStatements(tx: Pick<Tx, "execute">, milliseconds: number): Promise<void> {
  const scope = currentTransaction.getStore();
  if (milliseconds === 0 && scope) scope.unlimited.add(scope);
  await tx.execute(sql`set local statement_timeout = ${sql.raw(String(milliseconds))}`);
}

/** Calls a function after the current transaction commits: once, however often it was passed. */
export function afterCommit(follow: () => void): void {
  currentTransaction.getStore()?.next.add(follow);
}
