import { afterAll, expect, test } from "vitest";
import { readWalletChangeEligibility } from "../../server/wallet/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 7.26, 8.8
  test.each([
    ["the server's words", () => Response.json({ message: "Not today." }, { status: 409 }), 409, "Not today."],
    [
      "the server's words with status 200",
      () => Response.json({ success: false, message: "Not today." }),
      422,
      "Not today.",
    ],
    ["ours without any", () => new Response("", { status: 502 }), 502, "Failed to check wallet change eligibility"],
    ["ours without an answer", () => Response.error(), 503, "Failed to check wallet change eligibility"],
  ])("a failed check of the wallet change eligibility is explained in %s", async (_, respond, status, message) => {
    const { visitor } = await visitMember();
    pages.override(readWalletChangeEligibility, respond);
    const response = await visitor.get("/read/wallet-change-eligibility");
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ message })]);
  });
});
