import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { BY_OPERATOR, readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePages,
  findField,
  listFields,
  readPage,
  readText,
} from "../../tests/support/pages/test-pages.ts";
import { OPERATOR } from "../../server/administration/actor.ts";
import { FRESH_PASSWORD_SECONDS } from "../../server/administration/contract.ts";
import { addAdministrator, readAdministrators, removeAdministrator } from "../../server/administration/service.ts";
import { campaigns, sessions } from "../../server/db/schema.ts";
import { readStanding } from "../../server/fresh-password/contract.ts";
import { logout } from "../../server/sessions/contract.ts";
import { startSession } from "../../server/sessions/service.ts";
import { formatUtc } from "../ui/time.tsx";
import { FORM_INTENT } from "./form-fields.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const list = async () => (await readAdministrators(api.deps, OPERATOR)).map(({ email }) => email);
const add = (who: string, member: string) => ({
  [FORM_INTENT]: "add-administrator",
  member,
  who,
  reason: "Helps with members",
});

describePages(database, api, ({ pages, visitAdministrator, visitMember }) => {
  const visit = () => visitAdministrator("admin@example.com");

  test("redirects a signed-out visitor to sign-in, and from there back to the page", async () => {
    const answer = await createVisitor(pages).get("/admin/administrators");
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      302,
      "/auth?redirectTo=%2Fadmin%2Fadministrators",
    ]);
  });

  test("a member who is not an administrator is denied access and changes nothing", async () => {
    const { visitor, user } = await visitMember({ onboarded: false });
    const page = await readPage(visitor, "/admin/administrators");
    expect(page).toMatchObject({ status: 403, text: expect.stringContaining("You do not have access to this page") });
    const answer = await visitor.post("/admin/administrators", add(user.email, user.id));
    expect(answer.status).toBe(403);
    expect(await list()).toEqual([]);
  });

  test("an unknown address below /admin shows a not-found page inside the administration", async () => {
    const { visitor } = await visit();
    const page = await readPage(visitor, "/admin/nothing");
    expect(page).toMatchObject({ status: 404, text: expect.stringContaining("This page does not exist") });
    expect(page.text).toContain("Go to Overview");
    expect(page.html).toContain("<title>This page does not exist · Administration · Nodebeat</title>");
    expect(page.html).toContain('href="/admin/audit"');
  });

  test("opens the page of a campaign whose id has spaces and special characters", async () => {
    const { visitor } = await visit();
    const row = { name: "Survey", type: "form", formUrl: "https://forms.example", bonusPoints: 1, mandatory: false };
    await database.db.insert(campaigns).values({ ...row, id: "Frühling 2026, 50 %", taskNumber: 1 });
    const { html } = await readPage(visitor, "/admin/campaigns");
    const [, path = ""] = /href="(\/admin\/campaigns\/[^"]+)"/.exec(html) ?? [];
    expect(await readPage(visitor, path)).toMatchObject({
      status: 200,
      text: expect.stringContaining("Frühling 2026, 50 %"),
    });
  });

  test("says that administration is not available if the backend has none", async () => {
    const { visitor } = await visit();
    pages.override(readStanding, () => new Response("", { status: 404 }));
    expect(await readPage(visitor, "/admin/administrators")).toMatchObject({
      status: 404,
      text: expect.stringContaining("Administration is not available here"),
    });
  });

  test("an administration page has no module scripts and no hydration data", async () => {
    const { visitor } = await visit();
    const { html, status } = await readPage(visitor, "/admin/administrators");
    expect(status).toBe(200);
    expect(html).not.toMatch(/type="module"|modulepreload|streamController/);
    // Its stylesheet comes after the one that every page has.
    const looks = [...html.matchAll(/<link rel="stylesheet" href="[^"]*\/(\w+)/g)].map(([, name]) => name);
    expect(looks).toEqual(["styles", "administration"]);
  });

  test("asks for the password again after fifteen minutes, then opens the page", async () => {
    const { visitor } = await visit();
    clock.advance(FRESH_PASSWORD_SECONDS * 1000 - 1);
    expect((await visitor.get("/admin/administrators")).status).toBe(200);
    clock.advance(1);
    const asked = await readPage(visitor, "/admin/administrators?x=1");
    expect(asked).toMatchObject({ status: 403, text: expect.stringContaining("Enter your password to continue") });
    expect(asked.text).not.toContain("Added by");
    const member = findField(asked.html, "member")?.value ?? "";

    const wrong = await visitor.post("/admin/administrators?x=1", { member, password: "not the password" });
    const told = expect.stringContaining("That is not your password.");
    expect([wrong.status, readText(await wrong.text())]).toEqual([400, told]);
    const right = await visitor.post("/admin/administrators?x=1", { member, password: TEST_PASSWORD });
    expect([right.status, right.headers.get("Location")]).toEqual([303, "/admin/administrators?x=1"]);
    expect((await visitor.get("/admin/administrators")).status).toBe(200);
  });

  test("carries out a form that was sent too late, as typed, once the password is right", async () => {
    const { visitor, user } = await visit();
    await seedMember(api.deps, { email: "ben@example.com" });
    clock.advance(FRESH_PASSWORD_SECONDS * 1000);
    const sent = { ...add("ben@example.com", user.id), reason: 'Says "<b>yes</b>" & more' };
    const asked = await visitor.post("/admin/administrators", sent);
    const html = await asked.text();
    expect(asked.status).toBe(403);
    expect(html).not.toContain("<b>yes</b>");
    expect(await list()).toEqual(["admin@example.com"]);

    const wrong = await visitor.post("/admin/administrators", { ...sent, password: "not the password" });
    const again = await wrong.text();
    expect(wrong.status).toBe(400);
    const carried = Object.fromEntries(
      ["who", FORM_INTENT, "member"].map((name) => [name, findField(again, name)?.value ?? ""]),
    );
    expect(findField(again, "reason")?.value).toBe("Says &quot;&lt;b&gt;yes&lt;/b&gt;&quot; &amp; more");
    const done = await visitor.post("/admin/administrators", {
      ...carried,
      reason: sent.reason,
      password: TEST_PASSWORD,
    });
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/admin/administrators"]);
    expect(await list()).toEqual(["admin@example.com", "ben@example.com"]);
    const { text } = await readPage(visitor, "/admin/administrators");
    expect(text).toContain("ben@example.com is now an administrator.");
    expect(text).toMatch(/The operator Remove .*ben@example\.com 20 Nov 2026, \d\d:\d\d UTC admin@example\.com Remove/);
  });

  test("an invalid form that was sent too late waits for the password like a valid one", async () => {
    const { visitor, user } = await visit();
    clock.advance(FRESH_PASSWORD_SECONDS * 1000);
    const sent = await visitor.post("/admin/administrators", { ...add("ben@example.com", user.id), reason: " " });
    const asked = await sent.text();
    expect(readText(asked)).toContain("What you typed is kept, and is sent once you enter your password.");
    const carried = Object.fromEntries(
      ["who", FORM_INTENT, "member", "reason"].map((name) => [name, findField(asked, name)?.value ?? ""]),
    );
    const answer = await visitor.post("/admin/administrators", { ...carried, password: TEST_PASSWORD });
    const html = await answer.text();
    expect([answer.status, readText(html)]).toEqual([400, expect.stringContaining("Enter a reason.")]);
    expect(listFields(html).findLast(({ name }) => name === "who")?.value).toBe("ben@example.com");
  });

  test("keeps a form that waits for the password, even if the session ends in the meantime", async () => {
    const { visitor, user, token } = await visit();
    clock.advance(FRESH_PASSWORD_SECONDS * 1000);
    const sent = add("ben@example.com", user.id);
    expect((await visitor.post("/admin/administrators", sent)).status).toBe(403);
    await api.call(logout, { token });
    const late = await visitor.post("/admin/administrators", { ...sent, password: TEST_PASSWORD });
    expect([late.status, late.headers.get("Location")]).toEqual([302, "/auth?redirectTo=%2Fadmin%2Fadministrators"]);
    const { token: next } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT, byPassword: true });
    await visitor.begin({ accessToken: next, userId: user.id });
    const { html } = await readPage(visitor, "/admin/administrators");
    expect(listFields(html).findLast(({ name }) => name === "who")?.value).toBe("ben@example.com");
    expect([html.includes("Helps with members"), html.includes(TEST_PASSWORD)]).toEqual([true, false]);
  });

  test("a session that was started by a mailed code or link needs the password first", async () => {
    const { visitor, user } = await visitMember({ onboarded: false });
    await addAdministrator(api.deps, BY_OPERATOR, { member: user.id });
    expect((await visitor.get("/admin/administrators")).status).toBe(403);
    const { token: other } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT, byPassword: true });
    await visitor.begin({ accessToken: other, userId: user.id });
    expect((await visitor.get("/admin/administrators")).status).toBe(200);
  });

  test("password guesses count as sign-in attempts", async () => {
    const { visitor, user } = await visit();
    clock.advance(FRESH_PASSWORD_SECONDS * 1000);
    for (let attempt = 0; attempt < 10; attempt++) {
      const { status } = await visitor.post("/admin/administrators", { member: user.id, password: `guess ${attempt}` });
      expect(status).toBe(400);
    }
    const refused = await visitor.post("/admin/administrators", { member: user.id, password: TEST_PASSWORD });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "90"]);
    expect(readText(await refused.text())).toContain("Too many attempts.");
  });

  test("shows errors beside their fields and keeps everything that was typed", async () => {
    const { visitor, user } = await visit();
    const answer = await visitor.post("/admin/administrators", { ...add("not an address", user.id), reason: " " });
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(listFields(html).findLast(({ name }) => name === "who")?.value).toBe("not an address");
    expect(readText(html)).toMatch(/Name a member by email address or id\. .*Enter a reason\./);
    const unknown = await visitor.post("/admin/administrators", add("nobody@example.com", user.id));
    const text = readText(await unknown.text());
    expect([unknown.status, text]).toEqual([404, expect.stringContaining("No member has this address or id.")]);
    expect(text).toContain("Helps with members");
  });

  test("a page left open does nothing after another administrator signs in", async () => {
    const { visitor, user } = await visit();
    const other = await seedAdministrator(api.deps, "other@example.com");
    await visitor.begin({ accessToken: other.token, userId: other.user.id });
    await seedMember(api.deps, { email: "ben@example.com" });
    const answer = await visitor.post("/admin/administrators", add("ben@example.com", user.id));
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/admin/administrators"]);
    // A new document drops everything that the tab remembers about the other administrator.
    expect(answer.headers.has("X-Remix-Reload-Document")).toBe(true);
    expect((await visitor.post("/admin/administrators", add("ben@example.com", ""))).status).toBe(302);
    expect(await list()).not.toContain("ben@example.com");
  });

  test("a page left open does nothing after its administrator loses the role", async () => {
    const { visitor, user } = await visit();
    await seedMember(api.deps, { email: "ben@example.com" });
    await removeAdministrator(api.deps, BY_OPERATOR, { member: user.id });
    const answer = await visitor.post("/admin/administrators", add("ben@example.com", user.id));
    expect(answer.status).toBe(403);
    expect(await list()).toEqual([]);
  });

  test("says how many sessions a block ended, and whether there was any session to end", async () => {
    const { visitor, user } = await visit();
    const ben = await seedMember(api.deps, { email: "ben@example.com" });
    const page = `/admin/members/${ben.user.id}`;
    const send = (intent: string) => visitor.post(page, { [FORM_INTENT]: intent, member: user.id, reason: "Asked" });
    const [createdAt, lastSeenAt] = [60, 5].map((minutes) => new Date(clock.now().getTime() - minutes * 60_000));
    await database.db.update(sessions).set({ createdAt, lastSeenAt }).where(eq(sessions.userId, ben.user.id));
    const { html, text } = await readPage(visitor, page);
    expect(text).toContain([createdAt, lastSeenAt].map((at) => formatUtc(String(at?.toISOString()))).join(" "));
    expect(html).toMatch(/href="\/admin\/members" aria-current="page"/);
    expect(text).toContain("They see TESTNET beside the logo, and have to accept the Terms of Service");
    // Members can read every reason that is given here.
    expect(text.match(/Members see it in the data they can download\./g)).toHaveLength(
      listFields(html).filter(({ name }) => name === "reason").length,
    );
    expect((await send("block")).status).toBe(303);
    const blocked = await readPage(visitor, page);
    expect(blocked.text).toContain("The member is blocked. Signed out on 1 device.");
    expect(blocked.text).toContain("0 heartbeats");
    expect((await send("end-sessions")).status).toBe(303);
    expect((await readPage(visitor, page)).text).toContain("There was no session to end.");
  });

  test("adds one administrator, even if the form is sent twice at once, and removes them again", async () => {
    const { visitor, user } = await visit();
    const ben = await seedMember(api.deps, { email: "ben@example.com" });
    const form = add("ben@example.com", user.id);
    const answers = await Promise.all([1, 2].map(() => visitor.post("/admin/administrators", form)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await list()).toEqual(["admin@example.com", "ben@example.com"]);
    await visitor.post("/admin/administrators", { ...form, [FORM_INTENT]: "remove-administrator", who: ben.user.id });
    expect(await list()).toEqual(["admin@example.com"]);
    const audit = await readAudit(database.db);
    expect(audit).toMatchObject([{ action: "administrator.added" }, { action: "administrator.removed" }]);
  });
});
