import type { SQL } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import type { Month } from "../db/months.ts";

/** How one table is partitioned by month, or could be. */
export type MonthlyTable = {
  name: string;
  /** What to call its rows in messages to an operator. */
  rows: string;
  /** The columns that identify a row and never change, with their types. Rows are copied in this order. */
  key: readonly (readonly [column: string, type: string])[];
  /**
   * Creates `<name>_monthly` without partitions. Its indexes are named like the table's, with `_monthly` after its
   * name.
   */
  create: (tx: Tx) => Promise<void>;
  /** A query that returns one row: the `first` and the `last` instant of the rows that go by month. */
  range: SQL;
  /** Whether most writers lock a row of `users` first, as heartbeats do. If so, the swap locks `users` first. */
  isAfterMembers?: boolean;
  /** Records the sums of a month's rows. Nobody adds rows meanwhile. */
  sumUp: (tx: Tx, month: Month) => Promise<void>;
};
