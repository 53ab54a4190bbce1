import { readFileSync } from "node:fs";
import { getTableName, is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { listPruned } from "../boot/housekeeping.ts";
import { readEnv, Settings } from "../env.ts";
import * as schema from "./schema.ts";

/* Checks docs/growth.md: its tables must say how each of our tables grows and how it could be spread over machines. */

const tables = Object.values(schema).filter((each) => is(each, PgTable));
const names = tables.map((table) => getTableName(table)).toSorted();

const page = readFileSync(new URL("../../docs/growth.md", import.meta.url), "utf8");

/** Returns the rows of the page's table with these headings, with each cell trimmed. */
function readRows(...heads: string[]): string[][] {
  const lines = page.split("\n").map((line) => (line.startsWith("|") ? line.slice(1, -1).split("|") : []));
  const cells = lines.map((line) => line.map((cell) => cell.trim()));
  const head = cells.findIndex((line) => line.length > 0 && line.join() === heads.join());
  const rows = cells.slice(head + 2);
  return rows.slice(
    0,
    rows.findIndex((line) => line.length === 0),
  );
}

/** Returns the words in backticks. */
const codeIn = (cell = ""): string[] => Array.from(cell.matchAll(/`(\w+)`/g), ([, code = ""]) => code);

const growth = readRows("table", "grows by", "is kept").map(([table, grows = "", kept = ""]) => {
  const [name = ""] = codeIn(table);
  return { name, grows, kept };
});

test("docs/growth.md says for every table how it grows and how long its rows are kept", () => {
  // When you add a table that grows, prune its rows (server/boot/housekeeping.ts) or say why not.
  expect(growth.map(({ name }) => name).toSorted()).toEqual(names);
  expect(growth.filter(({ grows, kept }) => !grows || !kept)).toEqual([]);
});

test("every table with a retention period is pruned, and every pruned table documents one", () => {
  const pruned = Object.values(listPruned(readEnv({}))).map(({ table }) => getTableName(table));
  const ending = growth
    .filter(({ kept }) => /RETENTION|day|year|hour|as long as|until nothing/.test(kept))
    .map(({ name }) => name);
  // The first two are removed by month. Deleting an account also deletes its account_deletions row.
  const otherwise = ["heartbeats", "points_ledger", "account_deletions"];
  expect([...new Set(pruned), ...otherwise].toSorted()).toEqual(ending.toSorted());
});

test("docs/growth.md names every retention setting, and no setting that does not exist", () => {
  const named = growth.flatMap(({ kept }) => codeIn(kept));
  const settings = Object.keys(Settings.shape).filter((name) => name.includes("RETENTION"));
  expect(named.toSorted()).toEqual(settings.toSorted());
});

test("docs/growth.md matches the schema on which tables can be sharded by member and which keys prevent it", () => {
  const spreads = readRows("table", "spread by", "keys in the way").map(([table, by, keys]) => {
    // Without a column, the table stays on one machine, or on every one.
    return { name: codeIn(table)[0], by: codeIn(by)[0], keys: codeIn(keys) };
  });
  expect(spreads.map(({ name = "" }) => name).toSorted()).toEqual(names);
  const asTheyAre = spreads.map(({ name, by }) => {
    const table = tables.find((each) => getTableName(each) === name);
    if (!table) throw new Error(`There is no table ${name}`);
    const keys = listUniqueKeys(table);
    const primary = keys[0]?.columns ?? [];
    const column = findMember(table, primary) ?? (by && primary[0]);
    const inTheWay = column ? keys.filter(({ columns }) => !columns.includes(column)) : [];
    return { name, by: column, keys: inTheWay.map((key) => key.name) };
  });
  expect(spreads).toEqual(asTheyAre);
  expect(tables.filter((table) => findMember(table, listUniqueKeys(table)[0]?.columns ?? [])).length).toBeGreaterThan(
    20,
  );
  // A new unique key without the member is one more to get rid of: add the member to it, or say what will replace it.
  const planned = readRows("key", "becomes").flatMap(([key]) => codeIn(key));
  expect(planned.toSorted()).toEqual(spreads.flatMap(({ keys }) => keys).toSorted());
});

/**
 * Finds the column that names the row's owner. If a row has two members, it is the one that the primary key starts
 * with.
 */
function findMember(table: PgTable, primary: string[]): string | undefined {
  const { columns, foreignKeys, name } = getTableConfig(table);
  if (name === "users") return "id";
  const named = foreignKeys
    .map((key) => key.reference())
    .filter(({ foreignTable }) => getTableName(foreignTable) === "users")
    .flatMap((key) => key.columns.map((column) => column.name));
  return (
    named.find((column) => column === primary[0]) ??
    named[0] ??
    columns.find((column) => column.name === "user_id" && column.notNull)?.name
  );
}

/** Lists the primary key first. A key over an expression has no columns. */
function listUniqueKeys(table: PgTable): { name: string; columns: string[] }[] {
  const { columns, indexes, name, primaryKeys, uniqueConstraints } = getTableConfig(table);
  const single = columns.filter((column) => column.primary).map((column) => column.name);
  const primary = primaryKeys.map((key) => key.columns.map((column) => column.name));
  const unique = indexes.filter(({ config }) => config.unique);
  return [
    ...[...(single.length > 0 ? [single] : []), ...primary].map((key) => ({ name: `${name}_pkey`, columns: key })),
    ...unique.map(({ config }) => ({
      name: config.name ?? "",
      columns: config.columns.flatMap((column) => ("name" in column && column.name) || []),
    })),
    ...uniqueConstraints.map((key) => ({ name: key.name ?? "", columns: key.columns.map((column) => column.name) })),
  ];
}
