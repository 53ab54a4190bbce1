import { sql, type SQL } from "drizzle-orm";

type Scalar = "bigint" | "date" | "numeric" | "smallint" | "text" | "timestamptz" | "uuid";

/**
 * A named value of a prepared query that the planner does not look at, because it stands behind a `(select …)`.
 * Else the planner thinks that a plan of its own for each call is worth while, and planning costs more than the query.
 */
export const hiddenValue = (name: string, type: Scalar | `${Scalar}[]`): SQL =>
  sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;
