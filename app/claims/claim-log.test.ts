import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const UNKNOWN = "01890000-0000-7000-8000-000000000000";

describePages(database, api, ({ pages, visitMember }) => {
  test("logs claims of unknown referrals, but not as errors", async () => {
    const { visitor } = await visitMember();
    for (let index = 0; index < 5; index++) {
      expect((await visitor.post("/referrals", { intent: "claim", id: UNKNOWN })).status).toBe(404);
    }
    expect(pages.log.error).not.toHaveBeenCalled();
    expect(pages.log.info.mock.calls.map(([, message]) => message)).toEqual(Array(5).fill("A form was refused"));
    expect(pages.log.info.mock.calls[0]?.[0]).toMatchObject({ status: 404, reason: expect.any(String) });
  });

  // specification: 8.14
  test("logs a claim that fails on the server as an error", async () => {
    const { visitor } = await visitMember();
    pages.override("everything", () => Response.error());
    await visitor.post("/referrals", { intent: "claim", id: UNKNOWN });
    expect(pages.log.error).toHaveBeenCalledWith(expect.anything(), "A form was refused");
  });
});
