import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * The address of a member as shown to others. Null once the account is deleted, because the column then holds an id.
 */
export const emailOf = ({ deletedAt, email }: { deletedAt: PgColumn; email: PgColumn }): SQL<string | null> =>
  sql<string | null>`case when ${deletedAt} is null then ${email} end`;
