import type { Pool } from "pg";

/**
 * Records the statement timeouts under which a table's rows are changed from now on. Returns a function that lists
 * them, each once.
 */
export async function recordTimeouts(pool: Pool, table: string): Promise<() => Promise<string[]>> {
  await pool.query(`
    create table limits_of_${table} (value text primary key);
    create function note_limit_of_${table}() returns trigger language plpgsql as $$
    begin
      insert into limits_of_${table} values (current_setting('statement_timeout')) on conflict do nothing;
      return null;
    end $$;
    create trigger note_limit after update or delete on ${table}
    for each row execute function note_limit_of_${table}()`);
  return async () => {
    const { rows } = await pool.query<{ value: string }>(`select value from limits_of_${table} order by value`);
    return rows.map(({ value }) => value);
  };
}
