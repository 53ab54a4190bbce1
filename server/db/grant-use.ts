import { escapeIdentifier, type Client } from "pg";
import { DatabaseCannotOpen, findErrorCode } from "./unavailable.ts";

const NO_SUCH_ROLE = "42704";

/**
 * Grants a role that owns nothing what it needs to run the server, and nothing more. Throws DatabaseCannotOpen if there
 * is no such role.
 */
export async function grantUse(client: Client, role: string): Promise<void> {
  const name = escapeIdentifier(role);
  try {
    await client.query(`
      begin;
      grant usage on schema drizzle, public to ${name};
      grant select on all tables in schema drizzle to ${name};
      grant select, insert, update, delete on all tables in schema public to ${name};
      commit`);
  } catch (error) {
    if (findErrorCode(error) !== NO_SUCH_ROLE) throw error;
    throw new DatabaseCannotOpen(`There is no role "${role}": make it with \`create role … login\`.`, { cause: error });
  }
}
