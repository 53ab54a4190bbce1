import { afterAll, beforeEach, expect, test } from "vitest";
import { readAudit } from "../../../tests/support/api/administration.ts";
import { createTestDeps, seedMember } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { recordReferral } from "../../referrals/service.ts";
import { startOperator } from "../operator.fixture.ts";

const database = await createTestDatabase();
const deps = createTestDeps(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

const why = ["--reason", "Agreed with the team"];

test("lists held invitations and decides on each only once", async () => {
  const ops = await startOperator(deps);
  const { user: inviter } = await seedMember(deps, { email: "ada@example.com" });
  async function hold(email: string) {
    const { user: invitee } = await seedMember(deps, { email });
    const held = { inviterId: inviter.id, inviteeId: invitee.id, at: deps.now() };
    return inTransaction(deps.db, (tx) => recordReferral(tx, held));
  }
  const first = (await hold("ada+2@example.com")) ?? "";
  const second = (await hold("ada+3@example.com")) ?? "";

  expect(await ops("referrals", "list")).toMatch(
    new RegExp(
      `^0 ${first}  ada@example.com → ada\\+2@example.com  the same mailbox as another account  since .+\n${second}`,
    ),
  );
  expect(await ops("referrals", "release", first, ...why)).toBe("0 Released: the friend has the points.");
  expect(await ops("referrals", "refuse", first, ...why)).toBe("1 No held invitation has this id.");
  expect(await ops("referrals", "refuse", second, ...why)).toMatch(/^0 Refused/);
  expect(await ops("referrals", "list")).toBe("0 Nothing is held.");
  const actions = (await readAudit(deps.db)).map(({ action, subjectId }) => [action, subjectId]);
  expect(actions).toEqual([
    ["referral.released", first],
    ["referral.refused", second],
  ]);
});
