import { eq, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { monthlyTables } from "../db/schema.ts";
import { addMonth, isPartitioned, setLockTimeout } from "../db/months.ts";
import { inTransaction, limitStatements } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import type { MonthlyTable } from "./monthly-table.ts";

/*
 * Partitions a table by month while the server keeps writing to it. A second table, `<name>_monthly`, is created. From
 * then on a trigger applies every change to it too. The existing rows are copied, and then the two tables are swapped.
 */

/** The names of the table, of its replacement, and of the function that keeps them in sync. */
const namesOf = ({ name }: MonthlyTable) => ({
  one: sql.identifier(name),
  other: sql.identifier(`${name}_monthly`),
  mirror: sql.identifier(`mirror_${name}`),
});

const isOf = ({ name }: MonthlyTable) => eq(monthlyTables.name, name);

const list = (parts: SQL[]) => sql.join(parts, sql`, `);

const keyOf = ({ key }: MonthlyTable) => key.map(([column]) => sql`${sql.identifier(column)}`);

export async function isBegun(db: Db | Tx, { name }: MonthlyTable): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`select to_regclass(${`${name}_monthly`}) is not null as "is"`);
  return rows[0]?.is ?? false;
}

const columnsOf = (name: string) => sql`
  select attname, atttypid, atttypmod from pg_attribute
  where attrelid = to_regclass(${name}) and attnum > 0 and not attisdropped`;

/** Whether both tables have the same columns. A migration may have changed one after the other was created. */
export async function hasSameColumns(db: Db | Tx, { name }: MonthlyTable): Promise<boolean> {
  const { rows } = await db.execute<{ differ: boolean }>(sql`
    with one as (${columnsOf(name)}), other as (${columnsOf(`${name}_monthly`)})
    select exists ((table one except table other) union all (table other except table one)) as differ`);
  return rows[0]?.differ === false;
}

/** Throws CONFLICT if the columns of the two tables differ. Nothing is lost: the next attempt starts over. */
export async function requireSameColumns(tx: Tx, table: MonthlyTable): Promise<void> {
  if (await hasSameColumns(tx, table)) return;
  throw new AppError(
    "CONFLICT",
    `The columns of ${table.name} have changed meanwhile: the table stays as it was. Give the command again.`,
  );
}

/**
 * Creates the new table, empty, with partitions for these months, and a trigger that applies every change to it from
 * now on. All or nothing. The new table gets the same privileges. Starts over if the columns of an earlier attempt
 * differ.
 */
export async function begin(tx: Tx, table: MonthlyTable, months: Date[]): Promise<void> {
  const { one, other, mirror } = namesOf(table);
  await tx.execute(setLockTimeout());
  // Locks before checking again, because two processes may begin at once.
  await tx.execute(sql`lock table ${one} in share row exclusive mode`);
  if (await isPartitioned(tx, table.name)) return;
  if (await isBegun(tx, table)) {
    if (await hasSameColumns(tx, table)) return;
    await tx.execute(sql`drop function ${mirror}() cascade`);
    await tx.execute(sql`drop table ${other}`);
  }
  await table.create(tx);
  await tx.execute(
    sql.raw(`
    do $$
    declare
      may record;
    begin
      for may in select (aclexplode(relacl)).* from pg_class where oid = '${table.name}'::regclass loop
        execute format('grant %s on ${table.name}_monthly to %s', may.privilege_type,
          case may.grantee when 0 then 'public' else may.grantee::regrole::text end);
      end loop;
    end $$`),
  );
  for (const month of months) await addMonth(tx, `${table.name}_monthly`, month);
  await createMirrorTrigger(tx, table);
  await tx
    .insert(monthlyTables)
    .values({ name: table.name })
    .onConflictDoUpdate({ target: monthlyTables.name, set: { copiedTo: null, copied: 0 } });
}

/**
 * Applies every change to the new table too, with a trigger. Changing a row that is not copied yet does nothing there:
 * it is copied later, as it is then. Names the columns, because otherwise every write would fail once the table gets a
 * new one.
 */
async function createMirrorTrigger(tx: Tx, table: MonthlyTable): Promise<void> {
  const { one, other, mirror } = namesOf(table);
  const columns = await listColumns(tx, table);
  const news = list(columns.map((column) => sql`new.${column}`));
  const isOld = sql.join(
    keyOf(table).map((column) => sql`${column} = old.${column}`),
    sql` and `,
  );
  await tx.execute(sql`
    create function ${mirror}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into ${other} (${list(columns)}) values (${news}) on conflict do nothing;
      elsif tg_op = 'UPDATE' then
        update ${other} set (${list(columns)}) = row(${news}) where ${isOld};
      else
        delete from ${other} where ${isOld};
      end if;
      return null;
    end $$`);
  await tx.execute(sql`
    create trigger ${mirror} after insert or update or delete on ${one}
    for each row execute function ${mirror}()`);
}

async function listColumns(tx: Tx, { name }: MonthlyTable): Promise<SQL[]> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${name}) and attnum > 0 and not attisdropped order by attnum`);
  return rows.map((column) => sql`${sql.identifier(column.name)}`);
}

/** Returns the first and the last instant of the rows that go by month, or undefined if there are none. */
export async function findRange(db: Db, table: MonthlyTable): Promise<{ first: Date; last: Date } | undefined> {
  const [found] = await inTransaction(db, async (tx) => {
    await limitStatements(tx, 0);
    const { rows } = await tx.execute<{ first: string | null; last: string | null }>(table.range);
    return rows;
  });
  return found?.first && found.last ? { first: new Date(found.first), last: new Date(found.last) } : undefined;
}

export type Progress = { copied: number; isWhole: boolean };

/**
 * Copies the next rows in key order and records how far that is, both or neither. Anybody who wants to change or delete
 * one of these rows waits until it is copied, and then changes the copy as well.
 */
export async function copyNext(tx: Tx, table: MonthlyTable, limit: number): Promise<Progress> {
  const { one, other } = namesOf(table);
  const [state] = await tx.select().from(monthlyTables).where(isOf(table)).for("update");
  if (!state) throw new Error(`Nobody has begun to partition ${table.name}`);
  const key = keyOf(table);
  const { copiedTo } = state;
  const place = copiedTo && table.key.map(([, type], index) => sql`${copiedTo[index]}::${sql.raw(type)}`);
  const after = place ? sql`where (${list(key)}) > (${list(place)})` : sql``;
  const next = sql`select * from ${one} ${after} order by ${list(key)} limit ${limit}`;
  // Locks members first, as deleting an account does, because a copied row refers to its member.
  await tx.execute(sql`
    select from users where id in (select user_id from (${next}) as next) order by id for key share`);
  const { rows } = await tx.execute<{ count: number; last: string[] | null }>(sql`
    with batch as materialized (
      ${next} for share
    ), copied as (
      insert into ${other} select * from batch on conflict do nothing
    )
    select count(*)::integer as count, (
      select array[${list(key.map((column) => sql`${column}::text`))}] from batch
      order by ${list(key.map((column) => sql`${column} desc`))} limit 1
    ) as last
    from batch`);
  const { count = 0, last = null } = rows[0] ?? {};
  const copied = state.copied + count;
  if (last) await tx.update(monthlyTables).set({ copied, copiedTo: last }).where(isOf(table));
  return { copied, isWhole: count < limit };
}

/** Counts the rows that are missing or different in one of the two tables, in a single snapshot of both. */
export async function countDifferences(tx: Tx, table: MonthlyTable): Promise<number> {
  const { one, other } = namesOf(table);
  await limitStatements(tx, 0);
  const columns = await listColumns(tx, table);
  const [first] = keyOf(table);
  const rowOf = (side: SQL) => list(columns.map((column) => sql`${side}.${column}`));
  const { rows } = await tx.execute<{ count: number }>(sql`
    select count(*)::integer as count
    from ${one} as one full join ${other} as other using (${list(keyOf(table))})
    where (${rowOf(sql`one`)}) is distinct from (${rowOf(sql`other`)}) or one.${first} is null or other.${first} is null`);
  return rows[0]?.count ?? 0;
}

/**
 * Swaps the two tables and drops the old one, which locks the table and `users`. Takes the locks in the same order as
 * writers do, so that no transaction in progress deadlocks with this one.
 */
export async function swap(tx: Tx, table: MonthlyTable, lockTimeout: number): Promise<void> {
  const { one, other, mirror } = namesOf(table);
  await tx.execute(setLockTimeout(lockTimeout));
  if (table.isAfterMembers) await tx.execute(sql`lock table users in access exclusive mode`);
  await tx.execute(sql`lock table ${one} in access exclusive mode`);
  await tx.execute(sql`lock table ${other} in access exclusive mode`);
  await requireSameColumns(tx, table);
  await tx.execute(sql`drop table ${one}`);
  await tx.execute(sql`drop function ${mirror}()`);
  await tx.execute(sql`alter table ${other} rename to ${one}`);
  const { rows: indexes } = await tx.execute<{ name: string }>(sql`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = to_regclass(${table.name})`);
  for (const { name } of indexes) {
    await tx.execute(
      sql`alter index ${sql.identifier(name)} rename to ${sql.identifier(name.replace(`${table.name}_monthly`, table.name))}`,
    );
  }
  await tx.update(monthlyTables).set({ copiedTo: null }).where(isOf(table));
}
