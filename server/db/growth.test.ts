import { readFileSync } from "node:fs";
import { getTableName } from "drizzle-orm";
import { expect, test } from "vitest";
import { listPruned } from "../boot/housekeeping.ts";
import { readEnv, Settings } from "../env.ts";
import { GROWTH, KEYS_IN_THE_WAY, listSpreads, tables } from "./growth.ts";

const docs = readFileSync(new URL("../../docs/growth.md", import.meta.url), "utf8");
const row = (cells: string[]) => `| ${cells.join(" | ")} |`;

/** As the formatter pads them, so that one can be compared with the other. */
const unpadded = docs.replaceAll(/ +\|/g, " |");

test("every table says how it grows and for how long its rows are kept, and the documentation says it, too", () => {
  // Whoever adds a table that grows has its rows removed in time (server/boot/housekeeping.ts), or says why not.
  expect(Object.keys(GROWTH).toSorted()).toEqual(tables.map((table) => getTableName(table)).toSorted());
  for (const [table, { grows, kept }] of Object.entries(GROWTH)) {
    expect(unpadded).toContain(row([`\`${table}\``, grows, kept.replaceAll(/\b[A-Z_]{5,}\b/g, "`$&`")]));
  }
});

test("what has an end is removed, and what is removed has an end", () => {
  const pruned = Object.values(listPruned(readEnv({}))).map(({ table }) => getTableName(table));
  const ending = Object.entries(GROWTH)
    .filter(([, { kept }]) => /RETENTION|day|year|hour|as long as|until nothing/.test(kept))
    .map(([table]) => table);
  // Some go by month, and an account that is deleted takes its row along.
  const otherwise = ["heartbeats", "points_ledger", "account_deletions"];
  expect([...new Set(pruned), ...otherwise].toSorted()).toEqual(ending.toSorted());
});

test("each setting that is named is one, and each that is one is named", () => {
  const named = Object.values(GROWTH).flatMap(
    ({ kept }) => kept.match(/\b[A-Z_]+_RETENTION_[A-Z]+|\bSECURITY_RET\w+/g) ?? [],
  );
  const settings = Object.keys(Settings.shape).filter((name) => name.includes("RETENTION"));
  expect(named.toSorted()).toEqual(settings.toSorted());
});

test("the schema says which tables can be spread by member and which keys stand in the way, as documented", () => {
  const spreads = listSpreads();
  expect(spreads.filter(({ isMembers }) => isMembers).length).toBeGreaterThan(20);
  const inTheWay = spreads.flatMap((spread) => spread.inTheWay);
  // A new unique key without the member is one more to get rid of: give it the member, or say here what becomes of it.
  expect(inTheWay.toSorted()).toEqual(Object.keys(KEYS_IN_THE_WAY).toSorted());
  for (const { by, elsewhere, inTheWay: keys, table } of spreads) {
    expect(unpadded).toContain(
      row([`\`${table}\``, by ? `\`${by}\`` : (elsewhere ?? ""), keys.map((key) => `\`${key}\``).join(", ") || "none"]),
    );
  }
  for (const [key, plan] of Object.entries(KEYS_IN_THE_WAY)) expect(unpadded).toContain(row([`\`${key}\``, plan]));
});
