import { eq, getTableName, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { users } from "../db/schema.ts";
import { rowsOf, type Holding, type Owner } from "./holdings.ts";

/** How many rows to read at once: a few hundred kilobytes. */
const BATCH = 1000;

export async function findOwner(db: Db | Tx, userId: string): Promise<Owner | undefined> {
  const [owner] = await db.select({ userId: users.id, email: users.emailKey }).from(users).where(eq(users.id, userId));
  return owner;
}

/** Yields a member's rows of a holding as JSON, in batches. Each batch begins after the last key of the one before. */
export async function* readRows(db: Db, holding: Holding, owner: Owner): AsyncGenerator<string[]> {
  const { table, keys, withheld = {}, added } = holding;
  const names = list(keys.map((key) => sql.identifier(key)));
  const hidden = list(["", ...Object.keys(withheld)]);
  const keyTexts = list(keys.map((key) => sql`${sql.identifier(key)}::text`));
  let after: string[] | undefined;
  for (;;) {
    const next = after && sql`and (${names}) > (${list(after)})`;
    // Select the rows first and convert them to text after that: a plan that sorts all rows then does not convert all
    // of them.
    const batch = sql`
      select * from ${sql.identifier(getTableName(table))}
      where ${rowsOf(holding, owner)} ${next} order by ${names} limit ${BATCH}`;
    const { rows } = await db.execute<{ row: string; key: string[] }>(sql`
      select ((to_jsonb(t) - array[${hidden}]::text[]) ${added && sql`|| ${added}`})::text as row,
        array[${keyTexts}] as key
      from (${batch}) as t order by ${names}`);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    after = rows.at(-1)?.key;
    if (rows.length < BATCH || !after) return;
  }
}

const list = (items: unknown[]) =>
  sql.join(
    items.map((item) => sql`${item}`),
    sql`, `,
  );

/** Deletes a member's rows of a holding. */
export async function removeRows(tx: Tx, holding: Holding, owner: Owner): Promise<void> {
  await tx.execute(sql`delete from ${sql.identifier(getTableName(holding.table))} where ${rowsOf(holding, owner)}`);
}
