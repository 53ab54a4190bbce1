import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePagesOver, listUnreadMessages, TRANSPORTS } from "../../tests/support/pages/test-pages.ts";
import { logout } from "../../server/sessions/contract.ts";
import { readStats } from "../../server/points/contract.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

/** The response of an API that has renewed the session. */
const renewed = (body: object) => () => Response.json(body, { headers: { "x-auth-event": "TOKEN_REFRESHED" } });

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  // specification: 4.8
  test("announces a session that a read has renewed", async () => {
    const { visitor } = await visitMember();
    pages.override(readStats, renewed({}));
    await visitor.get("/read/stats");
    expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("TOKEN_REFRESHED");
  });

  // specification: 4.8
  test("announces a sign-out even if its response renews the session", async () => {
    const { visitor } = await visitMember();
    pages.override(logout, renewed({ success: true, message: "You are signed out." }));
    await visitor.post("/auth/logout");
    expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("SIGNED_OUT");
  });
});
