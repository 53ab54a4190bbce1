import type { SQL } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import type { Month } from "../db/months.ts";

/** A table that is divided by month, or can be: what is its own about that. */
export type MonthlyTable = {
  name: string;
  /** What its rows are called where an operator is told of them. */
  rows: string;
  /** The columns that name a row and never change, with their types: rows are copied in this order. */
  key: readonly (readonly [column: string, type: string])[];
  /** Makes `<name>_monthly` without a month, its indexes named as the table's are with `_monthly` after its name. */
  create: (tx: Tx) => Promise<void>;
  /** A query of one row: the `first` and the `last` instant of which there are rows that go by month. */
  range: SQL;
  /** Whether most writes to it have locked a row of `users` before, as a beat's has: then `users` is locked first. */
  isAfterMembers?: boolean;
  /** Writes down what the rows of a month come to. Nobody adds to them meanwhile. */
  sumUp: (tx: Tx, month: Month) => Promise<void>;
};
