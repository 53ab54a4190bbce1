import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, NO_CLIENT, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePagesOver,
  findField,
  readPage,
  listUnreadMessages,
  TRANSPORTS,
} from "../../../tests/support/pages/test-pages.ts";
import { DataExport, DELETION_GRACE_SECONDS, exportData, keepAccount } from "../../../server/account-data/contract.ts";
import { readUser } from "../../../server/profile/contract.ts";
import { startSession } from "../../../server/sessions/service.ts";
import { GRACE_DAYS } from "../profile-view.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const BANNER = "Your account will be deleted on 4 Dec 2026, 12:00 UTC";
const typed = { intent: "delete", password: TEST_PASSWORD, understood: "on" };
const where = (response: Response) => [response.status, response.headers.get("Location")];

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  test("a member can download all their data from the profile", async () => {
    const { visitor, user } = await visitMember();
    const { html } = await readPage(visitor, "/profile");
    expect(html).toContain('action="/profile/data" method="post"');
    const response = await visitor.post("/profile/data", { intent: "data", member: user.id });

    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("Content-Disposition")).toBe(
      'attachment; filename="nodebeat-data-export-2026-11-20.json"',
    );
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(DataExport.parse(await response.json()).profile).toMatchObject([{ id: user.id, email: user.email }]);
    expect(where(await visitor.get("/profile/data"))).toEqual([302, "/profile"]);
  });

  test("a data export without a file name is still sent as a download", async () => {
    const { visitor } = await visitMember();
    pages.override(exportData, () => Response.json({}));
    const { headers } = await visitor.post("/profile/data");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="nodebeat-data-export.json"');
  });

  test("a download that fails redirects to the profile, which says why", async () => {
    const { visitor } = await visitMember();
    const message = "Too many attempts. Please try again in 10 minutes.";
    const refused = { message, error: "TOO_MANY_ATTEMPTS", statusCode: 429 };
    pages.override(exportData, () => Response.json(refused, { status: 429 }));
    expect(where(await visitor.post("/profile/data"))).toEqual([303, "/profile"]);
    expect((await readPage(visitor, "/profile")).text).toContain("Too many attempts. Please try again in 10 minutes.");

    pages.override(exportData, () => Response.error());
    expect(where(await visitor.post("/profile/data"))).toEqual([303, "/profile"]);
    expect(pages.log.error).toHaveBeenCalledOnce();
    pages.reset();
    expect((await readPage(visitor, "/profile")).text).toContain("Your data could not be downloaded.");
  });

  test("the deletion page says what is deleted and what is kept, and shows the errors of its form", async () => {
    const { visitor, user } = await visitMember();
    const page = await readPage(visitor, "/profile/delete");
    expect(page.status).toBe(200);
    // For the member's password manager.
    expect(page.html).toMatch(new RegExp(`<input[^>]* autoComplete="username"[^>]* value="${user.email}"`));
    expect(GRACE_DAYS).toBe(DELETION_GRACE_SECONDS / (24 * 60 * 60));
    for (const words of [`For the first ${GRACE_DAYS} days`, "After that, we delete", "What stays, without your name"])
      expect(page.text).toContain(words);

    const wrong = await visitor.post("/profile/delete", { ...typed, password: "not the password" });
    const html = await wrong.text();
    expect(wrong.status).toBe(400);
    expect(html).toContain("That is not your password.");
    expect(html).not.toContain("not the password");
    const unticked = await visitor.post("/profile/delete", { intent: "delete", password: TEST_PASSWORD });
    expect([unticked.status, (await unticked.text()).includes("Tick the box to continue.")]).toEqual([400, true]);
    expect((await readPage(visitor, "/profile")).text).not.toContain("Your account will be deleted");
  });

  test.each([
    ["no answer", () => Response.error()],
    ["a refusal", () => Response.json({ message: "No", error: "CONFLICT" }, { status: 409 })],
    ["a call that is missing", () => new Response("", { status: 404 })],
    ["a status that is none", () => new Response(null, { status: 304 })],
  ])("if the member cannot be read, the page is unavailable and shows the request ID: %s", async (_, answer) => {
    const { visitor } = await visitMember();
    pages.override(readUser, answer);
    const { status, text } = await readPage(visitor, "/profile/delete");
    expect(status).toBe(503);
    expect(text).toContain("request-1");
  });

  test("every page says that the account will be deleted, and lets the member keep it", async () => {
    const { visitor, user, token } = await visitMember();
    const { token: other } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
    expect(where(await visitor.post("/profile/delete", typed))).toEqual([303, "/profile/delete#requested"]);
    expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("USER_UPDATED");
    expect((await api.call(readUser, { token: other })).status).toBe(401);
    const waiting = await readPage(visitor, "/profile/delete");
    expect(waiting.text).toContain(BANNER);
    expect(waiting.text).toContain("You asked us to delete your account. We will do this on 4 Dec 2026, 12:00 UTC .");
    expect(waiting.html).toMatch(/<section id="requested"/);
    expect(findField(waiting.html, "understood")).toBeUndefined();
    for (const path of ["/dashboard", "/agentinsights", "/rewards", "/referrals", "/profile", "/faqs"])
      expect((await readPage(visitor, path)).text).toContain(BANNER);
    expect((await readPage(visitor, "/profile")).text).toContain(
      "We will delete your account on 4 Dec 2026, 12:00 UTC . You can keep it until then. See what happens",
    );

    const { html } = await readPage(visitor, "/referrals?limit=5");
    const [, banner = ""] = html.split('action="/profile/keep"');
    const returnTo = findField(banner, "returnTo")?.value ?? "";
    const kept = await visitor.post("/profile/keep", { member: user.id, returnTo });
    expect(where(kept)).toEqual([303, "/referrals?limit=5"]);
    const { text } = await readPage(visitor, "/referrals");
    expect(text).toContain("Your account will not be deleted.");
    expect(text).not.toContain("Your account will be deleted");
    expect((await api.read(readUser, { token })).deletion_due_at).toBeUndefined();
  });

  test("if an account cannot be kept, the profile says so and no redirect leaves the site", async () => {
    const { visitor } = await visitMember();
    pages.override(keepAccount, () => Response.error());
    expect(where(await visitor.post("/profile/keep", { returnTo: "//evil.example/" }))).toEqual([303, "/profile"]);
    expect((await readPage(visitor, "/profile")).text).toContain("This does not work right now.");
  });

  test("without a session, the emailed link and the forms redirect to sign-in and back", async () => {
    const { visitor, user, token } = await visitMember();
    await visitor.post("/profile/delete", typed);
    const stranger = createVisitor(pages);
    expect(where(await stranger.get("/profile/delete"))).toEqual([302, "/auth?redirectTo=%2Fprofile%2Fdelete"]);
    expect(where(await stranger.post("/profile/keep", { returnTo: "/rewards", member: user.id }))).toEqual([
      302,
      "/auth?redirectTo=%2Frewards",
    ]);
    expect((await api.read(readUser, { token })).deletion_due_at).toBeDefined();
    expect(where(await stranger.post("/profile/data"))).toEqual([302, "/auth?redirectTo=%2Fprofile"]);
  });
});
