import { inTransaction, limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { countHeld, type Held } from "./backlog.queries.ts";

/**
 * Counts the messages that wait for paused webhooks, and the seconds since the first of their events. The query times
 * out after two seconds.
 */
export const readHeldFigures = ({ db, now }: Pick<Deps, "db" | "now">): Promise<Held> =>
  inTransaction(db, async (tx) => {
    await limitStatements(tx, 2_000);
    return countHeld(tx, now());
  });
