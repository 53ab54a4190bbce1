import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import * as schema from "../db/schema.ts";
import { HOLDINGS, NOT_HELD } from "./holdings.ts";

const tables = Object.values(schema).filter((each) => is(each, PgTable));
const holdings = Object.entries(HOLDINGS);

test("every table is in the export or listed as holding nothing about members", () => {
  const listed = [...holdings.map(([, { table }]) => table), ...NOT_HELD.map(([table]) => table)];
  const named = new Set(listed.map(getTableName));
  expect(tables.length).toBeGreaterThan(20);
  // A table with something about members belongs in HOLDINGS, any other in NOT_HELD.
  expect(tables.map(getTableName).filter((name) => !named.has(name))).toEqual([]);
  const unheld = NOT_HELD.filter(([table]) => "userId" in getTableColumns(table));
  expect(unheld.map(([table]) => getTableName(table))).toEqual([]);
});

test("withheld columns exist, and every column of bytes or with a secret's name is withheld", () => {
  for (const [section, { table, withheld = {} }] of holdings) {
    const columns = Object.values(getTableColumns(table));
    const names = new Set(columns.map(({ name }) => name));
    expect({ section, unknown: Object.keys(withheld).filter((name) => !names.has(name)) }).toEqual({
      section,
      unknown: [],
    });
    const secrets = columns.filter(
      (column) => column.getSQLType() === "bytea" || /hash|token|secret|password|seal|key$/.test(column.name),
    );
    expect({ section, shown: secrets.map(({ name }) => name).filter((name) => !(name in withheld)) }).toEqual({
      section,
      shown: [],
    });
  }
});
