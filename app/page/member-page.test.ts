import { RouterContextProvider } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import { readSessions, revokeOtherSessions } from "../../server/sessions/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePagesOver,
  expectSignedOut,
  readPage,
  TRANSPORTS,
} from "../../tests/support/pages/test-pages.ts";
import { readWhitelisted } from "../../server/onboarding/contract.ts";
import { readPointsLog } from "../../server/points/contract.ts";
import { createSessionCookie } from "../session/session.ts";
import { sessionContext } from "./context.ts";
import { loadForMember } from "./member-page.ts";
import { requestContext } from "./request-context.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

test("reports an error in a loader, and passes the request id to the page but not the reason", async () => {
  const failure = new TypeError("secret");
  const reportError = vi.fn<(error: unknown) => void>();
  const context = new RouterContextProvider();
  context.set(requestContext, { nonce: "nonce", requestId: "request-1", reportError });
  context.set(sessionContext, { session: { accessToken: "token-1" }, cookie: createSessionCookie(undefined) });

  const loaded = loadForMember({ context, url: new URL("http://nodebeat.test/rewards") }, () =>
    Promise.reject(failure),
  );

  await expect(loaded).rejects.toMatchObject({ data: { requestId: "request-1" }, init: { status: 500 } });
  expect(reportError).toHaveBeenCalledExactlyOnceWith(failure);
});

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  test.each(["/dashboard", "/dashboard?range=30", "/agentinsights", "/rewards", "/referrals", "/profile"])(
    "%s ends a session that the API rejects: it clears the cookie, and sign-in says why",
    async (path) => {
      const visitor = createVisitor(pages);
      await visitor.begin({ accessToken: "nbs_unknown", userId: "somebody" });
      const response = await visitor.get(path);
      const back = path === "/dashboard" ? "" : `?redirectTo=${encodeURIComponent(path)}`;
      expect(response.headers.get("Location")).toBe(`/auth${back}`);
      const { text } = await readPage(visitor, response.headers.get("Location") ?? "");
      expect(text).toContain("Your session has ended. Please sign in again.");
      await expectSignedOut(response, visitor, `/auth${back}`);
    },
  );

  test("a public page treats a member with a rejected session as a visitor", async () => {
    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: "nbs_unknown", userId: "somebody" });
    const { status, html } = await readPage(visitor, "/faqs");
    expect(status).toBe(200);
    expect(html).toMatch(/<a [^>]*href="\/auth"/);
    expect([...visitor.cookies]).toEqual([[expect.stringMatching(/^event_auth_/), "SIGNED_OUT.expired"]]);
  });

  test("a client navigation with a rejected session loads sign-in as a new document", async () => {
    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: "nbs_unknown", userId: "somebody" });
    const response = await visitor.get("/rewards.data");
    // By headers alone: Firefox reports a body that the page leaves half read as an error of the page.
    const told = ["Redirect", "Reload-Document"].map((name) => response.headers.get(`X-Remix-${name}`));
    expect([response.status, ...told]).toEqual([204, "/auth?redirectTo=%2Frewards", "true"]);
    expect(Array.from(visitor.cookies.values())).toEqual(["SIGNED_OUT.expired", "expired"]);
  });

  test.each(["/dashboard", "/rewards"])(
    "%s offers a retry and keeps the session while the API is down",
    async (path) => {
      const { visitor } = await visitMember();
      pages.override("everything", () => Response.error());

      const { status, html, text } = await readPage(visitor, path);

      expect(status).toBe(503);
      expect(text).toContain("We cannot reach your data right now");
      expect(html).toMatch(new RegExp(`<a [^>]*href="${path}"[^>]*>Try again`));
      expect(html).toMatch(/<a [^>]*href="\/faqs"/);
      expect(visitor.cookies.has("nodebeat_session")).toBe(true);
      expect((await readPage(visitor, "/faqs")).status).toBe(200);
    },
  );

  test("reports an unreadable API response when the page says that the error has been logged", async () => {
    const { visitor } = await visitMember();
    pages.override("everything", () => new Response("<h1>Back soon</h1>"));
    const { status, text } = await readPage(visitor, "/rewards");
    expect(status).toBe(500);
    expect(text).toContain("The error has been logged.");
    expect(pages.reportError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "UNKNOWN_ERROR" }));
  });

  test.each(["/dashboard", "/rewards", "/profile/email"])(
    "%s sends the API's Retry-After, or 5 seconds by default",
    async (path) => {
      const { visitor } = await visitMember();
      const headers = { "Retry-After": "30" };
      pages.override("everything", () => Response.json({ message: "Busy", error: "X" }, { status: 503, headers }));
      const response = await visitor.get(path);
      expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "30"]);
      pages.override("everything", () => Response.json({ message: "Busy", error: "X" }, { status: 503 }));
      expect((await visitor.get(path)).headers.get("Retry-After")).toBe("5");
    },
  );

  // The frame around a page reads more than the page does.
  test.each([
    ["the page", "/dashboard", readPointsLog],
    ["its frame", "/dashboard", readWhitelisted],
    ["its frame", "/rewards", readWhitelisted],
  ])("a single 401 among good responses ends the session, when %s asks, at %s", async (_, path, endpoint) => {
    const { visitor } = await visitMember();
    pages.override(endpoint, () =>
      Response.json({ message: "Sign in first.", error: "UNAUTHENTICATED" }, { status: 401 }),
    );
    const response = await visitor.get(path);
    expect(pages.calls).toContain(`GET ${endpoint.path}`);
    await expectSignedOut(response, visitor, path === "/dashboard" ? "/auth" : "/auth?redirectTo=%2Frewards");
  });

  test("a rejected API key of ours shows as unavailable and ends no session", async () => {
    const { visitor } = await visitMember();
    for (const endpoint of [readSessions, revokeOtherSessions])
      pages.override(endpoint, () => Response.json({ message: "Key", error: "INVALID_API_KEY" }, { status: 401 }));
    const { status, text } = await readPage(visitor, "/profile");
    expect(status).toBe(200);
    expect(text).toContain("Something went wrong while loading this part");
    expect((await visitor.get("/read/sessions")).status).toBe(503);
    expect((await visitor.post("/profile", { intent: "sessions" })).status).toBe(503);
    expect(visitor.cookies.has("nodebeat_session")).toBe(true);
  });

  test("no page carries the access token", async () => {
    const { visitor, token } = await visitMember();
    for (const path of ["/dashboard", "/dashboard.data", "/faqs", "/rewards"]) {
      expect(await (await visitor.get(path)).text()).not.toContain(token);
    }
  });

  test.each([
    ["/agentinsights", "Agent Insights", "Jobs appear here as soon as"],
    ["/rewards", "Rewards", "Start your node. You can claim"],
    ["/referrals", "Your Referrals", "Share your link"],
  ])("%s has its title and a next step", async (path, title, wayOn) => {
    const { visitor } = await visitMember();
    const { status, html, text } = await readPage(visitor, path);
    expect(status).toBe(200);
    expect(html).toContain(`<title>${title} · Nodebeat</title>`);
    expect(text).toContain(wayOn);
  });

  // specification: 2.19, 6.4, 7.13
  test("visitors can open the FAQs, which read only the points rules", async () => {
    const { status, html } = await readPage(createVisitor(pages), "/faqs");
    expect(status).toBe(200);
    expect(html).toContain("<title>Help &amp; FAQs · Nodebeat</title>");
    expect(pages.calls).toEqual(["GET /api/points/rules"]);
    // Members can open them, too.
    const { visitor } = await visitMember();
    expect(await readPage(visitor, "/faqs")).toMatchObject({ status: 200 });
  });
});
