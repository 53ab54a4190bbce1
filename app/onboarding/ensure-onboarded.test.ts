import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  describePages,
  describePagesOver,
  expectSignedOut,
  listUnreadMessages,
  readPage,
} from "../../tests/support/pages/test-pages.ts";
import { onboard, readOnboarded } from "../../server/onboarding/contract.ts";
import { readOnboarded as readOnboardedOf } from "../../server/onboarding/service.ts";
import { readStats } from "../../server/points/contract.ts";
import { readUser } from "../../server/profile/contract.ts";
import { logout } from "../../server/sessions/contract.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 2.9, 4.9, 4.10
  test("the dashboard onboards a member who is not onboarded yet, and the shell shows its links", async () => {
    const { visitor, token } = await visitMember({ onboarded: false });

    const { status, html } = await readPage(visitor, "/dashboard");

    expect(status).toBe(200);
    expect(await api.read(readOnboarded, { token })).toEqual({ success: true });
    expect(html).toMatch(/<a [^>]*href="\/rewards"/);
    expect(pages.calls.filter((call) => call === "POST /api/users/onboard")).toHaveLength(1);
    expect(pages.calls.filter((call) => call === "GET /api/users/user-onboarded")).toHaveLength(2);
  });

  test.each(["shell", "dashboard%2Fdashboard.route"])(
    "a client navigation that requests %s onboards, too",
    async (asked) => {
      const { visitor, token } = await visitMember({ onboarded: false });
      const response = await visitor.get(`/dashboard.data?_routes=${asked}`);
      expect(response.status).toBe(200);
      expect(await api.read(readOnboarded, { token })).toEqual({ success: true });
    },
  );

  // specification: 4.12
  test("other pages do not onboard, and the sidebar does not show its links yet", async () => {
    const { visitor, token } = await visitMember({ onboarded: false });
    const { status, html } = await readPage(visitor, "/faqs");
    expect(status).toBe(200);
    expect(html).not.toMatch(/<a [^>]*href="\/rewards"/);
    expect(await api.read(readOnboarded, { token })).toEqual({ success: false });
  });

  // specification: 2.55, 4.14
  test("after onboarding, the dashboard opens even if the stats fail to load", async () => {
    const { visitor } = await visitMember({ onboarded: false });
    pages.override(readStats, () => Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 }));
    const { status, text } = await readPage(visitor, "/dashboard");
    expect(status).toBe(200);
    expect(text).toContain("Refer a Friend");
    expect(text).toContain("Something went wrong while loading this part.");
  });

  // specification: 3.18
  test.each([
    ["that fails", () => Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 })],
    ["that is not JSON", () => new Response("<html></html>")],
    ["without a response", () => Response.error()],
  ])("a check %s leaves the page complete, and onboards nobody", async (_, respond) => {
    const { visitor, user } = await visitMember({ onboarded: false });
    pages.override(readOnboarded, respond);
    const { html, status, text } = await readPage(visitor, "/dashboard");
    expect(status).toBe(200);
    expect(text).toContain("Refer a Friend");
    expect(html).toMatch(/<a [^>]*href="\/rewards"/);
    expect(await readOnboardedOf(api.deps, user.id)).toEqual({ success: false });
    expect(pages.log.error.mock.calls.map(([, message]) => message)).toEqual([
      "Whether the member is onboarded is not known",
    ]);
  });

  const listFailures = ({ error, info }: typeof pages.log) =>
    Object.entries({ error, info }).flatMap(([level, { mock }]) =>
      mock.calls.flatMap(([, message]) => (message === "error onboarding user" ? [level] : [])),
    );

  // specification: 4.11, 8.11
  test("without a user ID in the session, onboarding fails, is logged and signs the member out", async () => {
    const { visitor } = await visitMember({ onboarded: false, userId: false });
    await expectSignedOut(await visitor.get("/dashboard"), visitor, "/auth");
    expect(listFailures(pages.log)).toEqual(["info"]);
    expect(pages.calls).not.toContain("POST /api/users/onboard");
  });

  // specification: 8.11
  test("if onboarding fails right after signing in, sign-in says why and only the sign-out is announced", async () => {
    const { visitor } = await visitMember({ onboarded: false });
    visitor.cookies.set("event_auth_1", "SIGNED_IN");
    pages.override(onboard, () => Response.error());
    await visitor.get("/dashboard");
    const { text } = await readPage(visitor, "/auth");
    expect(text).toContain("Your account could not be set up. Please sign in again to retry.");
    expect(listUnreadMessages(visitor, AUTH_EVENT)).toEqual(["SIGNED_OUT"]);
  });

  test("another member's ID in the cookie prevents onboarding, and is not logged as an error", async () => {
    for (let index = 0; index < 3; index++) {
      const { visitor, user, token } = await visitMember({ onboarded: false });
      await visitor.begin({ accessToken: token, userId: crypto.randomUUID() });
      await expectSignedOut(await visitor.get("/dashboard"), visitor, "/auth");
      expect(await readOnboardedOf(api.deps, user.id)).toEqual({ success: false });
    }
    expect(listFailures(pages.log)).toEqual(["info", "info", "info"]);
  });

  // specification: 4.11, 8.11, 8.13
  test.each([
    ["that breaks", () => Response.json({ message: "Oops", error: "INTERNAL" }, { status: 500 })],
    ["without a response", () => Response.error()],
  ])("onboarding %s is logged once as an error, and signs the member out", async (_, respond) => {
    const { visitor } = await visitMember({ onboarded: false });
    pages.override(onboard, respond);
    const response = await visitor.get("/dashboard");
    await expectSignedOut(response, visitor, "/auth");
    expect(listFailures(pages.log)).toEqual(["error"]);
    expect(pages.calls.filter((call) => call === "POST /api/users/onboard")).toHaveLength(1);
  });

  // specification: 4.11
  test("a failed onboarding revokes the session's token and announces the sign-out to other tabs", async () => {
    const { visitor, token } = await visitMember({ onboarded: false });
    pages.override(onboard, () => Response.error());
    await visitor.get("/dashboard");
    expect(listUnreadMessages(visitor, AUTH_EVENT)).toEqual(["SIGNED_OUT"]);
    expect(await api.call(readUser, { token })).toMatchObject({ status: 401 });
  });

  test("signs out after a failed onboarding even if the session cannot be revoked", async () => {
    const { visitor } = await visitMember({ onboarded: false });
    pages.override(onboard, () => Response.error());
    pages.override(logout, () => Response.error());
    await expectSignedOut(await visitor.get("/dashboard"), visitor, "/auth");
    expect(listUnreadMessages(visitor, AUTH_EVENT)).toEqual(["SIGNED_OUT"]);
  });
});

// Within one process, no response gets lost.
describePagesOver(["http"], database, api, ({ pages, visitMember }) => {
  test("the dashboard opens if onboarding succeeded but its response was lost", async () => {
    const { visitor } = await visitMember({ onboarded: false });
    pages.override(onboard, async (request) => {
      await api.fetch(request);
      return Response.error();
    });
    expect((await readPage(visitor, "/dashboard")).status).toBe(200);
    expect(pages.log.error).not.toHaveBeenCalled();
  });
});
