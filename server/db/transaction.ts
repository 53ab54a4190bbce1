import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db, Tx } from "./client.ts";
import { currentTransaction, GuardedPool } from "./guarded-pool.ts";
import { makeRoomFor } from "./months.ts";
import { findErrorCode, NOT_AVAILABLE } from "./unavailable.ts";

/** Serialization failure and deadlock: the transaction did nothing, and would pass if it came alone. */
const RETRIED = new Set(["40001", "40P01"]);
const ATTEMPTS = 5;

type TransactionConfig = Parameters<Db["transaction"]>[1];

/**
 * Runs work in one transaction, and runs it again when it lost against others (at most five times in all), or once
 * there is room for a month that had none. So `work` may run more than once: it does nothing that a rollback does not
 * undo, and queries `tx` alone.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, config?: TransactionConfig): Promise<T> {
  for (let attempt = 1; ;) {
    let lost: unknown;
    const scope = { open: true, next: new Set<() => void>(), unlimited: unlimitedOf(db) };
    try {
      // Awaited in here: a query that `work` returns unsent is sent by whoever awaits it.
      const result = await db.transaction((tx) => currentTransaction.run(scope, async () => await work(tx)), config);
      for (const follow of scope.next) follow();
      return result;
    } catch (error) {
      lost = error;
    } finally {
      scope.open = false;
      scope.unlimited.delete(scope);
    }
    const room = await makeRoomFor(db, lost).catch((error: unknown) => {
      lost = error;
      // Worth another try, as where somebody else was quicker.
      return findErrorCode(error) === NOT_AVAILABLE ? "there" : undefined;
    });
    if (room === "made") continue;
    if (attempt === ATTEMPTS || !(room === "there" || RETRIED.has(findErrorCode(lost) ?? ""))) throw lost;
    attempt += 1;
    // At random, so that those that met do not meet again.
    await wait(Math.random() * 10 * 2 ** attempt);
  }
}

const unlimitedOf = ({ $client }: Db): Set<object> =>
  $client instanceof GuardedPool ? $client.unlimited : new Set<object>();

/** Lets each statement of a transaction take so many milliseconds from here on, or with 0 as long as it needs. */
export async function limitStatements(tx: Pick<Tx, "execute">, milliseconds: number): Promise<void> {
  const scope = currentTransaction.getStore();
  if (milliseconds === 0 && scope) scope.unlimited.add(scope);
  await tx.execute(sql`set local statement_timeout = ${sql.raw(String(milliseconds))}`);
}

/** Has something done once the current transaction is committed: once, however often it is asked for. */
export function afterCommit(follow: () => void): void {
  currentTransaction.getStore()?.next.add(follow);
}
