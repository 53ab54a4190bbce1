import { administer, permit } from "../administration/service.ts";
import type { Act } from "../administration/actor.ts";
import { addMonth, isDivided, startOfMonth } from "../db/months.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import * as queries from "./divide.queries.ts";
import type { MonthlyTable } from "./monthly-table.ts";
import { whenFree } from "./when-free.ts";

/** Rows of one transaction: a moment, in which a member's deletion may have to wait. */
const BATCH = 5_000;
/** For how long the change of places waits for who has the table, and then others for it, in milliseconds. */
const PATIENCE_MS = 500;

type Tell = (line: string) => void;
type DivideDeps = Pick<Deps, "db" | "now"> & { tell?: Tell; batch?: number };
export type Division = { rows: string; divided: boolean; copied: number };

/**
 * Divides a table by month while servers write it, also ones of the version before. Can be stopped at any moment, and
 * goes on from there when it is done again, or begins anew where a migration has added a column meanwhile. Where it is
 * divided it does nothing. Throws CONFLICT where the two tables differ at the end, or where the database was too busy for
 * the change of places: nothing is lost then.
 */
export async function divideTable(deps: DivideDeps, act: Act, table: MonthlyTable): Promise<Division> {
  const { db } = deps;
  await permit(deps, act.actor);
  const { name, rows } = table;
  if (await isDivided(db, name)) return { rows, divided: false, copied: 0 };
  try {
    return await divide(deps, act, table);
  } catch (error) {
    // Given again while it was under way: who was quicker has done it.
    if (await isDivided(db, name)) return { rows, divided: false, copied: 0 };
    throw error;
  }
}

async function divide(deps: DivideDeps, act: Act, table: MonthlyTable): Promise<Division> {
  const { db, now, tell = () => {} } = deps;
  const { name, rows } = table;
  const soon = [-1, 0, 1, 2, 3].map((months) => startOfMonth(now(), months));
  if (!(await queries.isBegun(db, table)) || !(await queries.hasSameColumns(db, table))) {
    await whenFree(() => inTransaction(db, (tx) => queries.begin(tx, table, soon)));
  }
  await makeRoom(deps, table);
  const copied = await copyAll(deps, table);
  tell(`${rows}: comparing the two tables.`);
  const differences = await inTransaction(db, (tx) => queries.countDifferences(tx, table), {
    isolationLevel: "repeatable read",
  });
  if (differences > 0)
    throw new AppError("CONFLICT", `The copy of ${name} differs in ${differences} rows: the table stays as it was.`);
  await whenFree(() =>
    administer({ db, now }, act, async (tx, note) => {
      await note({ action: "database.partitioned", subject: "job", subjectId: name, details: { copied } });
      await queries.swap(tx, table, PATIENCE_MS);
    }),
  );
  return { rows, divided: true, copied };
}

/** For every month that there are rows of. */
async function makeRoom({ db }: DivideDeps, table: MonthlyTable): Promise<void> {
  const range = await queries.findRange(db, table);
  if (!range) return;
  for (let from = startOfMonth(range.first); from <= range.last; from = startOfMonth(from, 1)) {
    await whenFree(() => addMonth(db, `${table.name}_monthly`, from));
  }
}

async function copyAll({ db, tell = () => {}, batch = BATCH }: DivideDeps, table: MonthlyTable): Promise<number> {
  let told = 0;
  for (;;) {
    const { copied, isWhole } = await inTransaction(db, async (tx) => {
      await queries.requireSameColumns(tx, table);
      return queries.copyNext(tx, table, batch);
    });
    if (isWhole || copied - told >= 20 * batch) tell(`${table.rows}: ${copied} rows copied.`);
    if (isWhole) return copied;
    if (copied - told >= 20 * batch) told = copied;
  }
}
