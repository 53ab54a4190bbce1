import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePagesOver, TRANSPORTS } from "../../tests/support/pages/test-pages.ts";
import { readReferrals } from "../../server/referrals/contract.ts";
import { UserStats } from "../../server/points/contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  test("reads as the member, and forbids caching", async () => {
    const { visitor, user } = await visitMember();
    const response = await visitor.get("/read/stats", { "x-nodebeat-member": user.id });
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(UserStats.parse(await response.json()).user_id).toBe(user.id);
  });

  test("passes on only the parameters it knows", async () => {
    const { visitor } = await visitMember();
    let asked = "";
    pages.override(readReferrals, ({ url }) => {
      asked = new URL(url).search;
      return Response.json({});
    });
    await visitor.get("/read/referrals?page=2&limit=25&userId=somebody&page=3");
    expect(asked).toBe("?page=2&limit=25");
  });

  // specification: 6.4, 8.6
  test("rejects a read without a session, and does not call the API", async () => {
    const response = await createVisitor(pages).get("/read/stats");
    expect(response.status).toBe(401);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({
      message: "No access token provided",
      error: "UNAUTHENTICATED",
      statusCode: 401,
    });
    expect(pages.calls).toEqual([]);
  });

  test("does not return one member's data to another member's page", async () => {
    const { visitor } = await visitMember();
    expect((await visitor.get("/read/stats", { "x-nodebeat-member": "somebody-else" })).status).toBe(401);
    expect(pages.calls).toEqual([]);
  });

  test.each([
    "/read/nothing",
    "/read/",
    "/read",
    "/read/toString",
    "/read/__proto__",
    "/read/stats/extra",
    "/read/login",
  ])("%s is not found", async (path) => {
    const { visitor } = await visitMember();
    const response = await visitor.get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "NOT_FOUND", statusCode: 404 });
    expect(pages.calls).toEqual([]);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("rejects the method %s", async (method) => {
    const { visitor } = await visitMember();
    const response = await visitor.send("/read/stats", { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET, HEAD");
    expect(await response.json()).toMatchObject({ error: "METHOD_NOT_ALLOWED", statusCode: 405 });
    expect(pages.calls).toEqual([]);
  });

  test("passes on the API's error and its messages for fields", async () => {
    const { visitor } = await visitMember();
    const response = await visitor.get("/read/points-log?page=0&category=Nonsense");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: "VALIDATION_ERROR",
      statusCode: 400,
      fields: { page: [expect.any(String)], category: [expect.any(String)] },
    });
  });

  test("leaves the cookie of a rejected session to the page", async () => {
    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: "nbs_unknown", userId: "somebody" });
    const response = await visitor.get("/read/stats");
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("reports an internal error, and does not reveal its cause", async () => {
    const { visitor } = await visitMember();
    // With null in place of a friend.
    pages.override(readReferrals, () => Response.json({ referrals: [null] }));
    const response = await visitor.get("/read/referrals?page=1&limit=10&status=Pending");
    expect([response.status, await response.json()]).toMatchObject([500, { error: "UNKNOWN_ERROR" }]);
    expect(pages.reportError).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError));
  });

  test("responds with a network error and Retry-After if the API cannot be reached", async () => {
    const { visitor } = await visitMember();
    pages.override("everything", () => Response.error());
    const response = await visitor.get("/read/stats");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await response.json()).toMatchObject({ error: "NETWORK_ERROR", statusCode: 503 });
  });
});
