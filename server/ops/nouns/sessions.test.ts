import { afterAll, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { readAudit } from "../../../tests/support/api/administration.ts";
import { createTestApi, NO_CLIENT, seedMember } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { GuardedPool } from "../../db/guarded-pool.ts";
import { readUser } from "../../profile/contract.ts";
import { startSession } from "../../sessions/service.ts";
import { readJson, startOperator } from "../operator.fixture.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

const why = ["--reason", "A device was stolen"];

async function startCommand() {
  const ops = await startOperator(api.deps);
  return (...args: string[]) => ops("sessions", ...args);
}

const works = async (token: string) => (await api.call(readUser, { token })).status === 200;

test("an operator signs one member out everywhere", async () => {
  const sessions = await startCommand();
  const [ada, ben] = [await seedMember(api.deps, { email: "ada@example.com" }), await seedMember(api.deps)];
  const { token: other } = await startSession(api.deps, { userId: ada.user.id, client: NO_CLIENT });

  expect(await sessions("end", "ada@example.com", ...why)).toBe("0 ada@example.com is signed out on 2 devices.");
  expect(await Promise.all([ada.token, other, ben.token].map(works))).toEqual([false, false, true]);
  expect(await sessions("end", ada.user.id, ...why)).toBe("0 ada@example.com is not signed in anywhere.");
  expect(await sessions("end", "nobody@example.com", ...why)).toBe("1 No member has this address or id.");
  expect(await readAudit(database.db)).toMatchObject([
    {
      action: "sessions.ended",
      subjectId: ada.user.id,
      actor: "operator",
      reason: "A device was stolen",
      details: { ended: 2 },
    },
  ]);
});

test("an operator sees where a member is signed in, and signs them out on one device", async () => {
  const sessions = await startCommand();
  const [ada, ben] = [await seedMember(api.deps, { email: "ada@example.com" }), await seedMember(api.deps)];
  const client = { ...NO_CLIENT, address: "203.0.113.7" };
  const { token: stolen } = await startSession(api.deps, { userId: ada.user.id, client });

  const list = readJson(await sessions("list", "ada@example.com", "--json"));
  const [latest] = z
    .array(z.looseObject({ id: z.string() }))
    .length(2)
    .parse(list);
  expect(latest).toMatchObject({ device: "An unknown device", network: "203.0.113.0/24" });
  const id = latest?.id ?? "";
  expect(await sessions("revoke", ben.user.id, id, ...why)).toBe("1 The member has no such session, or it has ended.");
  expect(await sessions("revoke", "ada@example.com", id, ...why)).toBe(
    "0 ada@example.com is signed out on that device.",
  );
  expect(await Promise.all([ada.token, stolen, ben.token].map(works))).toEqual([true, false, true]);
  expect(await sessions("list", ada.user.id)).toMatch(/^0 .*\nSigned in on 1 device\.$/);
  expect(await sessions("revoke", "ada@example.com", id, ...why)).toMatch(/^1 /);
  expect(await readAudit(database.db)).toMatchObject([{ action: "sessions.ended", subjectId: ada.user.id }]);
});

test("an operator signs everybody out, with an audit entry for each member", async () => {
  const sessions = await startCommand();
  const [ada, ben, eve] = [await seedMember(api.deps), await seedMember(api.deps), await seedMember(api.deps)];
  const { token: other } = await startSession(api.deps, { userId: ada.user.id, client: NO_CLIENT });
  await sessions("end", eve.user.id, ...why);
  const { $client: pool } = database.db;
  const unlimited = pool instanceof GuardedPool ? vi.spyOn(pool.unlimited, "add") : undefined;

  expect(await sessions("end-all", ...why)).toBe("0 2 members are signed out.");
  // With very many members it may take longer than any other statement.
  expect(unlimited).toHaveBeenCalledOnce();
  unlimited?.mockRestore();
  expect(await Promise.all([ada.token, other, ben.token].map(works))).toEqual([false, false, false]);
  const entries = (await readAudit(database.db)).slice(1);
  expect(new Map(entries.map(({ subjectId, details }) => [subjectId, details]))).toEqual(
    new Map([
      [ada.user.id, { ended: 2 }],
      [ben.user.id, { ended: 1 }],
    ]),
  );
  expect(await sessions("end-all", ...why)).toBe("0 Nobody is signed in.");
});
