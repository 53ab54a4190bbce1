import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * The address of a member as somebody else is shown it: null once the account is deleted, and an id stands in its
 * place.
 */
export const emailOf = ({ deletedAt, email }: { deletedAt: PgColumn; email: PgColumn }): SQL<string | null> =>
  sql<string | null>`case when ${deletedAt} is null then ${email} end`;
