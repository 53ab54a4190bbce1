import { expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { NO_CLIENT, seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { startSession } from "../sessions/service.ts";
import { makeAdjustment } from "./contract.ts";

const { api, clock } = await openTestApi({ env: { adjustmentApprovalAbove: 1000 } });

const DAY = 24 * 60 * 60 * 1000;

test.each([
  ["a day", "waiting", DAY],
  ["two days", "posted", 2 * DAY],
])("after a clock that is %s ahead has used up an allowance, today's adjustment is %s", async (_, outcome, ahead) => {
  const { user, token } = await seedAdministrator(api.deps);
  const { user: cleo } = await seedMember(api.deps);
  const make = async (by: string, key: string) => {
    const body = { member: cleo.id, category: "Rewards", points: 1000, key, reason: "Lost in the outage" } as const;
    return (await api.read(makeAdjustment, { token: by, body })).outcome;
  };
  clock.advance(ahead);
  const { token: later } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT, byPassword: true });
  expect(await make(later, "ahead")).toBe("posted");
  clock.advance(-ahead);
  expect(await make(token, "today")).toBe(outcome);
});
