import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { createTestDeps, seedMember, SILENT } from "../../../tests/support/api/api.ts";
import { eraseAtOnce, eraseDueAccounts } from "../../../tests/support/api/jobs.ts";
import { startPostgres } from "../../../tests/support/database/postgres.ts";
import { createEmbeddedProvider } from "../../auth/provider/embedded.ts";
import { openDatabase } from "../../db/client.ts";
import { accountDeletions } from "../../db/schema.ts";
import { runCommand } from "../command.ts";

/** Where Debian has PostgreSQL's programs. The packages of the tests do not include those that copy a database. */
const PROGRAMS = "/usr/lib/postgresql/15/bin";

test.skipIf(!existsSync(join(PROGRAMS, "pg_dump")))(
  "after restoring a PostgreSQL backup, deletes accounts again that were deleted since",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "nodebeat-backup-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "nodebeat.dump");
    const server = await startPostgres({ programs: PROGRAMS });
    onTestFinished(() => server.stop());
    const settings = { DATABASE_URL: server.url, PATH: `${PROGRAMS}:/usr/bin` };
    async function ops(...args: string[]) {
      const said: string[] = [];
      const note = (text: string) => void said.push(text);
      return `${await runCommand(args, settings, { out: note, err: note })} ${said.join("\n")}`;
    }
    const open = () => openDatabase({ databaseUrl: server.url, dataDir: "", log: SILENT });

    const former = await open();
    const before = createTestDeps(former);
    const [gone, stays] = [await seedMember(before), await seedMember(before)];
    expect(await ops("database", "backup", "--to", file)).toMatch(/^0 /);
    await eraseAtOnce(before, gone.user.id);
    await former.close();
    const restored = await ops("database", "restore", "--from", file, "--replace");
    const [kept = ""] = /public_until_\d+/.exec(restored) ?? [];

    expect(await ops("members", "returned", "--kept", "public")).toMatch(/^2 Name the schema that the restore kept/);
    expect(await ops("members", "returned", "--kept", "public_until_1")).toBe(
      "1 There is no schema public_until_1 with members in this database.",
    );
    expect(await ops("members", "returned", "--kept", kept)).toBe(`0 ${gone.user.id}  ${gone.user.email}\n1 in all.`);
    expect(await ops("members", "delete-again", "--kept", kept, "--reason", "Restored the backup of Sunday")).toMatch(
      /^0 .+ {2}done\nA running server deletes them/,
    );

    const database = await open();
    onTestFinished(() => database.close());
    const deps = createTestDeps(database);
    const erase = () => eraseDueAccounts(deps, createEmbeddedProvider(deps));
    expect(await erase()).toBe(0);
    // Skip the minute in which calls under way end.
    await deps.db.update(accountDeletions).set({ closedAt: new Date(0) });
    await deps.db.execute(sql`update background_jobs set due_at = 'epoch'`);
    expect(await erase()).toBe(1);
    const { rows } = await deps.db.execute(sql`select id from users where deleted_at is null`);
    expect(rows).toEqual([{ id: stays.user.id }]);
    expect(await ops("members", "returned", "--kept", kept)).toBe("0 No deleted account is there again.");
  },
);
