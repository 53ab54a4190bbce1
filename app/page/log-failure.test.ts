import { afterAll, expect, test } from "vitest";
import { registerDevice } from "../../server/heartbeats/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePagesOver, TRANSPORTS } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const failAs = (status: number, message: string) => () => Response.json({ message, error: "X" }, { status });

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  // specification: 8.12
  test("a write that fails is logged with its message", async () => {
    const { visitor } = await visitMember();
    const write = () => visitor.post("/profile", { intent: "device", name: "Attic" });
    pages.override(registerDevice, failAs(409, "There are enough."));
    await write();
    expect(pages.log.info.mock.calls).toEqual([
      [expect.objectContaining({ status: 409, reason: "There are enough." }), "A form was refused"],
    ]);
    pages.override(registerDevice, failAs(500, "It broke."));
    await write();
    expect(pages.log.error.mock.calls).toEqual([
      [{ err: expect.objectContaining({ message: "It broke." }) }, "A form was refused"],
    ]);
  });
});
