import { inTransaction, limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { countHeld, type Held } from "./backlog.queries.ts";

/**
 * How many messages wait for a webhook that is paused, and how long ago the first of them happened. Ends by itself
 * after two seconds.
 */
export const readHeldFigures = ({ db, now }: Pick<Deps, "db" | "now">): Promise<Held> =>
  inTransaction(db, async (tx) => {
    await limitStatements(tx, 2_000);
    return countHeld(tx, now());
  });
