import { sql, type SQL } from "drizzle-orm";

type Scalar = "bigint" | "bytea" | "date" | "numeric" | "smallint" | "text" | "timestamptz" | "uuid";

/**
 * A named value of a prepared query that the planner cannot see, because it is inside a `(select …)`. Otherwise the
 * planner would make a new plan for each call, and planning costs more than the query.
 */
export const opaqueParam = (name: string, type: Scalar | `${Scalar}[]`): SQL =>
  sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;
