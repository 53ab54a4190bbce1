import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { createTestDeps } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { statusSamples } from "../db/schema.ts";
import { startOperator } from "../ops/operator.fixture.ts";
import { describeKinds, describeSchedules } from "./background.ts";
import { startStatusWatch } from "./status-watch.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

test("jobs can be listed by every kind and by no other, and operations.md explains each kind", async () => {
  const deps = createTestDeps(database);
  const ops = await startOperator(deps);
  const provider = createEmbeddedProvider(deps);
  const transport = { send: () => Promise.reject(new Error("Nothing is sent here")) };
  const kinds = describeKinds(deps, provider, { transport, origin: "https://nodebeat.test" });
  const all = [...Object.keys(kinds), ...Object.keys(describeSchedules(deps, provider))];
  for (const kind of all) expect([kind, await ops("jobs", "list", "--kind", kind)]).toEqual([kind, "0 Nothing."]);

  // A backend that has the accounts also has the mail.
  const remote = { ...deps, env: { ...deps.env, authApiUrl: "https://auth.example" } };
  const remoteKinds = describeKinds(remote, provider, { transport, origin: "https://nodebeat.test" });
  const there = { ...remoteKinds, ...describeSchedules(remote, provider) };
  expect(all.filter((kind) => !(kind in there))).toEqual(["mail", "look-for-silence"]);

  const refused = await ops("jobs", "list", "--kind", "nonsense");
  expect(refused.split("\n")[0]).toBe(`2 --kind: There is no such kind. There are ${all.join(", ")}.`);

  const [, jobs = ""] = readFileSync("docs/operations.md", "utf8").split("\n## Jobs\n");
  const [explained = ""] = jobs.split("\n\n- ");
  expect(all.filter((kind) => !explained.includes(`\`${kind}\``))).toEqual([]);
});

test.each([
  [{ role: "both" }, ["api", "chain", "database", "heartbeats", "mail"]],
  [{ role: "web" }, ["api", "chain", "database", "heartbeats"]],
  [{ role: "worker" }, ["chain", "database", "mail"]],
  [{ role: "both", authApiUrl: "https://auth.example" }, ["api", "chain", "database", "heartbeats"]],
] as const)("a process with %j reports the status of %j and of no other part", async (env, parts) => {
  await database.reset();
  await startStatusWatch(createTestDeps(database, { env }), async () => {})();
  const { part } = statusSamples;
  const seen = await database.db.selectDistinct({ part }).from(statusSamples).orderBy(part);
  expect(seen.map((each) => each.part)).toEqual(parts);
});
