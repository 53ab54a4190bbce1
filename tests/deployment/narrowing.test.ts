import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { MIGRATIONS_FOLDER } from "../../server/db/migrate.ts";
import { findNarrowing } from "./narrowing.ts";
import { CONTRACT_STEPS, PREVIOUS } from "./previous-version.ts";

const migrations = globSync("*.sql", { cwd: MIGRATIONS_FOLDER })
  .sort()
  .map((file) => ({ name: basename(file, ".sql"), sql: readFileSync(`${MIGRATIONS_FOLDER}/${file}`, "utf8") }));

const isContractStep = (migration: string, statement: string) =>
  CONTRACT_STEPS.some((step) => step.migration === migration && step.statement === statement);

test("the previous version works on this schema, because newer migrations only add to it", () => {
  expect(migrations.map(({ name }) => name)).toContain(PREVIOUS.lastMigration);
  const narrowing = migrations
    .filter(({ name }) => name > PREVIOUS.lastMigration)
    .flatMap(({ name, sql }) => findNarrowing(sql).map(({ statement, what }) => ({ name, statement, what })))
    .filter(({ name, statement }) => !isContractStep(name, statement));
  expect(narrowing).toEqual([]);
});

test("each contract step says since when its target is unused, and is in its migration", () => {
  for (const { freeSince, migration, statement } of CONTRACT_STEPS) {
    expect(freeSince).toMatch(/^[\da-f]{7,40}$|^v?\d+\.\d+\.\d+$/);
    const { sql = "" } = migrations.find(({ name }) => name === migration) ?? {};
    expect(findNarrowing(sql).map((found) => found.statement)).toContain(statement);
  }
});

test.each([
  "DROP TABLE users;",
  'ALTER TABLE "users" DROP COLUMN "wallet";',
  'ALTER TABLE "users" RENAME COLUMN "wallet" TO "address";',
  'ALTER TABLE "users" RENAME TO "members";',
  'ALTER TABLE "users" ALTER COLUMN "wallet" SET DATA TYPE bytea;',
  'ALTER TABLE "users" ALTER COLUMN "wallet" SET NOT NULL;',
  'ALTER TABLE "users" ALTER COLUMN "wallet" DROP DEFAULT;',
  'ALTER TABLE "users"\n  ADD COLUMN "age" integer NOT NULL;',
  'ALTER TABLE "users" DROP CONSTRAINT "users_email_unique";',
  'DROP INDEX "users_email_index";',
])("%s breaks the previous version", (statement) => {
  expect(findNarrowing(`-- Why.\n${statement}`)).toHaveLength(1);
});

test.each([
  'ALTER TABLE "users" ADD COLUMN "age" integer;',
  'ALTER TABLE "users" ADD COLUMN "age" integer DEFAULT 0 NOT NULL;',
  'CREATE TABLE "ages" ("age" integer NOT NULL);',
  'ALTER TABLE "users" DROP CONSTRAINT "kinds";--> statement-breakpoint\nALTER TABLE "users" ADD CONSTRAINT "kinds" CHECK (true);',
  "-- Nothing to rename, and no drop table.\nCREATE INDEX ages_index ON ages (age);",
])("%s does not break the previous version", (migration) => {
  expect(findNarrowing(migration)).toEqual([]);
});
