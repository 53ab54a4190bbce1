import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createAccount, seedChainMember } from "../../tests/support/chain/chain-member.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { chainJobs } from "../db/schema.ts";
import { readWalletChangeEligibility } from "../wallet/contract.ts";
import { readSmartAccount, readSmartIdRequirements } from "./contract.ts";

const { api, clock } = await openTestApi();

// specification: 3.53, 3.54, 4.30
test.each([
  ["NonceAlreadyUsed", "Its number was used before (NonceAlreadyUsed). Nothing was created, and you can try again."],
  ["Reverted", "The network refused it (Reverted). Nothing was created, and you can try again."],
  [null, "The network refused it. Nothing was created, and you can try again."],
])("a Smart Account that failed with %s says why, counts as none, and can be created again", async (error, message) => {
  const member = await seedChainMember(api.deps);
  const { token, userId } = member;
  await createAccount(api, member);
  const createdAt = clock.now().toISOString();
  await api.deps.db.update(chainJobs).set({ state: "failed", errorName: error }).where(eq(chainJobs.userId, userId));

  const account = { success: true, smartAccount: null, message, status: "failed", createdAt };
  expect(await api.read(readSmartAccount, { token })).toEqual(account);
  expect(await api.read(readSmartIdRequirements, { token })).toMatchObject({
    requirementsMet: true,
    existingSmartAccount: false,
    status: "failed",
  });
  expect(await api.read(readWalletChangeEligibility, { token })).toMatchObject({ eligible: true });

  // Signed later than the first one, whose consent is used up.
  clock.advance(1);
  expect(await createAccount(api, member)).toMatchObject({ status: 200 });
  expect(await api.read(readSmartAccount, { token })).toMatchObject({ status: "pending" });
});
