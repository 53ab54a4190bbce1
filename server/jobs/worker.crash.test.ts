import { once } from "node:events";
import { rm } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { SILENT } from "../../tests/support/api/api.ts";
import { createDataFolder } from "../../tests/support/database/empty-database.ts";
import { forkWorker, postJobs, readEffects, waitForHeldJobs } from "../../tests/support/servers/job-workers.ts";
import { openDatabase } from "../db/client.ts";
import { backgroundJobs } from "../db/schema.ts";

test("a process that is killed while it runs jobs loses none: the next one runs them at once", async () => {
  const dataDir = await createDataFolder();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const before = await openDatabase({ dataDir, log: SILENT });
  await postJobs(before.db, 20);
  await before.close();

  const killed = forkWorker({ name: "killed", dataDir, pauses: true });
  await waitForHeldJobs(killed);
  killed.kill("SIGKILL");
  expect(await once(killed, "exit")).toEqual([null, "SIGKILL"]);
  const next = forkWorker({ name: "next", dataDir, alone: true });
  expect(await once(next, "exit")).toEqual([0, null]);

  const after = await openDatabase({ dataDir, log: SILENT });
  onTestFinished(() => after.close());
  expect(await after.db.$count(backgroundJobs)).toBe(0);
  const effects = await readEffects(after.db);
  expect(effects.map(({ key }) => key).toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `job-${i}`).toSorted());
});
