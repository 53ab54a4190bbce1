import { readdir, readFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { expect, test } from "vitest";
import { MIGRATIONS_FOLDER } from "../db/migrate.ts";

const MIGRATION = "0013_background_jobs.sql";
const MEMBER = "0192f000-0000-7000-8000-000000000001";
const LETTER = "0192f000-0000-7000-8000-000000000002";
const WORKED_ON = "0192f000-0000-7000-8000-000000000003";
const FINAL = "0192f000-0000-7000-8000-000000000004";

const read = (name: string) => readFile(`${MIGRATIONS_FOLDER}/${name}`, "utf8");

async function readMigrations() {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const before = await Promise.all(names.slice(0, names.indexOf(MIGRATION)).map(read));
  return { before, migration: await read(MIGRATION) };
}

const chainJob = (id: string, state: string, nonce: number) => `
  insert into chain_jobs (id, user_id, kind, state, owner, consent_digest, consent_nonce, consent_signature, station_nonce,
    due_at, created_at)
  values ('${id}', '${MEMBER}', '${nonce === 1 ? "deploy" : "execute"}', '${state}', '0x', '${nonce}', 1, '0x', ${nonce},
    '2026-11-20T12:00:00Z', '2026-11-20T11:00:00Z');`;

test("the migration moves jobs from the old queues into the single one, with their time and content", async () => {
  const { before, migration } = await readMigrations();
  const database = await PGlite.create();
  try {
    for (const each of before) await database.exec(each);
    await database.exec(`
      set session_replication_role = replica;
      insert into mail_queue values ('${LETTER}', '\\x0102', 3, '2026-11-20T12:00:00Z', '2026-11-21T12:00:00Z');
      insert into account_deletions values ('${MEMBER}', '2026-11-20T12:00:00Z', '2026-12-04T12:00:00Z', null);
      ${chainJob(WORKED_ON, "sent", 1)} ${chainJob(FINAL, "finalized", 2)}`);

    await database.transaction((tx) => tx.exec(migration));

    const { rows } = await database.query(
      "select kind, key, payload, attempts, due_at, expires_at, lease, dead_at from background_jobs order by kind",
    );
    const due = new Date("2026-11-20T12:00:00Z");
    const fresh = { payload: null, attempts: 0, expires_at: null, lease: null, dead_at: null };
    expect(rows).toEqual([
      { ...fresh, kind: "chain", key: WORKED_ON, due_at: due },
      { ...fresh, kind: "erase-account", key: MEMBER, due_at: new Date("2026-12-04T12:00:00Z") },
      {
        ...fresh,
        kind: "mail",
        key: LETTER,
        payload: new Uint8Array([1, 2]),
        attempts: 3,
        due_at: due,
        expires_at: new Date("2026-11-21T12:00:00Z"),
      },
    ]);
    const { rows: left } = await database.query("select to_regclass('mail_queue') as queue");
    expect(left).toEqual([{ queue: null }]);
  } finally {
    await database.close();
  }
});
