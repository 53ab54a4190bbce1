import { afterAll, describe, expect, test } from "vitest";
import { createTestApi, createTestClock, NO_CLIENT } from "../../tests/support/api/api.ts";
import { createMailbox } from "../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePages,
  findField,
  readPage,
  readText,
  listUnreadMessages,
} from "../../tests/support/pages/test-pages.ts";
import type { Visitor } from "../../tests/support/pages/test-pages.ts";
import { wrongCode } from "../../tests/support/api/wrong-code.ts";
import { sendCampaignEmail } from "../../server/campaign-mail/contract.ts";
import { startSession } from "../../server/sessions/service.ts";
import { readSessions } from "../../server/sessions/contract.ts";
import { readSilenceMail } from "../../server/silence-mail/service.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
afterAll(() => database.close());

const OTHER = { ...NO_CLIENT, userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0" };

const startElsewhere = (userId: string) => startSession(api.deps, { userId, client: OTHER });

async function answerOf(response: Response) {
  return { status: response.status, location: response.headers.get("Location"), html: await response.text() };
}

describePages(database, api, ({ pages, visitMember }) => {
  test("lists the member's sessions, and signs out another device", async () => {
    const { visitor, user } = await visitMember();
    await startElsewhere(user.id);
    const { html, text } = await readPage(visitor, "/profile");
    expect(text).toMatch(/Where you are signed in .*This device .*Firefox on Windows/);
    const id = findField(html, "id")?.value ?? "";
    // If two devices look alike, these lines say which one the button is for.
    expect(html).toMatch(new RegExp(`<p id="device-${id}".*<button[^>]* aria-describedby="device-${id}"`, "s"));

    const { status, location } = await answerOf(await visitor.post("/profile", { intent: "session", id }));
    expect([status, location]).toEqual([303, "/profile#sessions"]);
    expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("USER_UPDATED");
    const after = await readPage(visitor, "/profile");
    expect(after.text).toContain("That device has been signed out.");
    expect(after.text).not.toContain("Firefox on Windows · ");
    expect(findField(after.html, "id")).toBeUndefined();
    expect(after.text).toContain("Signed out another device");

    const again = await visitor.post("/profile", { intent: "session", id });
    expect([again.status, again.headers.get("Location")]).toEqual([303, location]);
  });

  test("signs out everywhere else, and offers it only if there are other sessions", async () => {
    const { visitor, user } = await visitMember();
    expect((await readPage(visitor, "/profile")).text).not.toContain("Sign out everywhere else");
    await startElsewhere(user.id);
    await startElsewhere(user.id);
    expect((await readPage(visitor, "/profile")).text).toContain("Sign out everywhere else");

    const response = await visitor.post("/profile", { intent: "sessions" });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/profile#sessions"]);
    const { text } = await readPage(visitor, "/profile");
    expect(text).toContain("You have been signed out everywhere else.");
    expect(text).not.toContain("Sign out everywhere else");
  });

  test.each([99, 100])("shows where each of %d sessions is from, and if a hundred may not be all", async (count) => {
    const { visitor } = await visitMember();
    const at = "2026-11-20T12:00:00.000Z";
    const known = { device: "Firefox on Windows", createdAt: at, lastSeenAt: at, expiresAt: at };
    const sessions = Array.from({ length: count }, (_, index) =>
      Object.assign({ id: `session-${index}`, network: index ? null : "203.0.113.0/24", current: index === 1 }, known),
    );
    pages.override(readSessions, () => Response.json({ sessions }));
    const { text } = await readPage(visitor, "/profile");
    expect(text).toMatch(/Windows This device Unknown network · last seen [\w ]+ · signed in 20 Nov 2026, 12:00 UTC /);
    expect(text).toMatch(/12:00 UTC Firefox on Windows 203\.0\.113\.0\/24 · last seen /);
    expect(text.includes("These are the 100 used last.")).toBe(count === 100);
  });

  test("a member chooses after how many hours without heartbeats they get an email", async () => {
    const { visitor, user } = await visitMember();
    const selected = async () =>
      / value="(\d*)" selected=""/.exec((await readPage(visitor, "/profile")).html)?.[1] ?? "none";
    const choose = (form: Record<string, string>) => visitor.post("/profile", { intent: "silence-mail", ...form });
    expect(await selected()).toBe("");
    expect((await readPage(visitor, "/profile")).text).toContain(`We send one email to ${user.email} each time.`);

    const on = await choose({ afterHours: "12", tellsReturn: "on" });
    expect([on.status, on.headers.get("Location")]).toEqual([303, "/profile#devices"]);
    expect(await readSilenceMail(api.deps, user.id)).toEqual({ afterHours: 12, tellsReturn: true });
    expect((await readPage(visitor, "/profile")).text).toContain(
      "You will get an email when your node has been silent",
    );
    expect(await selected()).toBe("12");
    expect((await readPage(visitor, "/profile")).html).toMatch(/ name="tellsReturn" checked=""/);

    expect((await choose({ afterHours: "2" })).status).toBe(400);
    expect(await selected()).toBe("12");
    const off = await choose({ afterHours: "" });
    expect(off.headers.get("Location")).toBe("/profile#devices");
    expect(await selected()).toBe("");
  });

  test("confirms another address for campaign mail with the code mailed to it", async () => {
    const { visitor, user } = await visitMember();
    expect((await readPage(visitor, "/profile")).text).toContain(user.email ?? "");
    const email = "news@example.org";
    const sent = await visitor.post("/profile", { intent: "campaign-address", email });
    expect(sent.headers.get("Location")).toBe("/profile#campaign-mail");
    const asked = await readPage(visitor, "/profile");
    expect(asked.text).toContain("We sent a 6-digit code to news@example.org");
    expect([asked.text.includes("Send another code"), findField(asked.html, "email")?.value]).toEqual([true, email]);

    const { code = "" } = await mailbox.read(email);
    const wrong = await visitor.post("/profile", { intent: "campaign-code", verificationCode: wrongCode(code) });
    expect(wrong.status).toBe(400);
    expect(readText(await wrong.text())).toContain("That code is not right. 4 attempts left.");

    const right = await visitor.post("/profile", { intent: "campaign-code", verificationCode: code });
    expect(right.headers.get("Location")).toBe("/profile#campaign-mail");
    expect(visitor.cookies.has("nodebeat_campaign")).toBe(false);
    const { text } = await readPage(visitor, "/profile");
    expect(text).toContain("These emails go to news@example.org");
    expect(text).not.toContain("We sent a 6-digit code");
  });

  test("says that a campaign code has expired even though its form is gone", async () => {
    const { visitor } = await visitMember();
    await visitor.post("/profile", { intent: "campaign-address", email: "news@example.org" });
    clock.advance(24 * 60 * 60_000);
    const late = await visitor.post("/profile", { intent: "campaign-code", verificationCode: "123456" });
    const text = readText(await late.text());
    expect(text).toContain("This code has expired. Please ask for a new one.");
    expect(text).not.toContain("We sent a 6-digit code");
  });

  test("rejects a campaign code that was requested in another browser, and says so", async () => {
    const { visitor } = await visitMember();
    await visitor.post("/profile", { intent: "campaign-address", email: "news@example.org" });
    visitor.cookies.delete("nodebeat_campaign");
    const response = await visitor.post("/profile", { intent: "campaign-code", verificationCode: "123456" });
    expect(readText(await response.text())).toContain("You asked for this code in another browser.");
  });

  test("rejects a code that another member requested in this browser, without using up its attempts", async () => {
    const { visitor, user, token } = await visitMember();
    await visitor.post("/profile", { intent: "campaign-address", email: "news@example.org" });
    const other = await visitMember();
    await api.read(sendCampaignEmail, { token: other.token, body: { email: "other@example.org" } });
    await visitor.begin({ accessToken: other.token, userId: other.user.id });
    const { code } = await mailbox.read("news@example.org");
    const wrong = { intent: "campaign-code", verificationCode: wrongCode(code) };
    const theirs = await visitor.post("/profile", wrong);
    expect(readText(await theirs.text())).toContain("You asked for this code in another browser.");
    await visitor.begin({ accessToken: token, userId: user.id });
    expect(readText(await (await visitor.post("/profile", wrong)).text())).toContain("4 attempts left.");
  });

  test("shows the error for an invalid email at its field", async () => {
    const { visitor } = await visitMember();
    const response = await visitor.post("/profile", { intent: "campaign-address", email: "nonsense" });
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(readText(html)).toContain("Enter a valid email.");
    expect(findField(html, "email")).toMatchObject({ value: "nonsense", "aria-invalid": "true" });
  });

  test("turns campaign mail off and on", async () => {
    const { visitor } = await visitMember();
    await visitor.post("/profile", { intent: "campaign-mail", subscribed: "false" });
    expect((await readPage(visitor, "/profile")).text).toContain("Campaign emails are off.");
    expect((await readPage(visitor, "/profile")).text).toContain("Turn on campaign emails");
    await visitor.post("/profile", { intent: "campaign-mail", subscribed: "true" });
    expect((await readPage(visitor, "/profile")).text).toContain("Turn off campaign emails");
  });

  test("rejects a form with an unknown intent", async () => {
    const { visitor } = await visitMember();
    for (const intent of ["nonsense", "toString", ""]) {
      expect((await visitor.post("/profile", { intent })).status).toBe(400);
    }
  });

  test("shows the rest of the page if one part fails to load", async () => {
    const { visitor } = await visitMember();
    pages.override(readSessions, () => Response.error());
    const { status, text } = await readPage(visitor, "/profile");
    expect(status).toBe(200);
    expect(text).toContain("Something went wrong while loading this part.");
    expect(text).toContain("Change password");
  });

  describe.each([
    [
      "refused by the API",
      async (visitor: Visitor, id: string) => visitor.begin({ accessToken: "nbs_gone", userId: id }),
    ],
    ["gone from the browser", async (visitor: Visitor) => void visitor.cookies.delete("nodebeat_session")],
  ])("with a session that is %s", (_, lose) => {
    const email = "typed@example.org";

    async function typeAndLose() {
      const { visitor, user, token } = await visitMember();
      // The address that is already pending must not replace the typed one.
      await visitor.post("/profile", { intent: "campaign-address", email: "asked@example.org" });
      const member = findField((await readPage(visitor, "/profile")).html, "member")?.value ?? "";
      await lose(visitor, user.id);
      const response = await visitor.post("/profile", { intent: "campaign-address", member, email });
      return { visitor, user, token, response };
    }

    test("sign-in says why and leads back to what was typed, which is shown once", async () => {
      const { visitor, user, token, response } = await typeAndLose();
      expect(response.headers.get("Location")).toBe("/auth?redirectTo=%2Fprofile");
      expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("SIGNED_OUT.expired");
      expect(visitor.cookies.has("nodebeat_session")).toBe(false);

      await visitor.begin({ accessToken: token, userId: user.id });
      const { html, text } = await readPage(visitor, "/profile");
      expect(findField(html, "email")?.value).toBe(email);
      expect(text).toContain("Your session ended. What you typed is still here.");
      expect(findField((await readPage(visitor, "/profile")).html, "email")?.value).not.toBe(email);
    });

    test("shows what was typed again even if it is invalid", async () => {
      const { visitor, user, token } = await visitMember();
      await lose(visitor, user.id);
      const form = { intent: "campaign-address", member: user.id, email: "not yet an address" };
      await visitor.post("/profile", form);
      await visitor.begin({ accessToken: token, userId: user.id });
      expect(findField((await readPage(visitor, "/profile")).html, "email")?.value).toBe(form.email);
    });

    test.each(["/profile", "/faqs"])("drops what was typed once another member opens %s", async (page) => {
      const { visitor, user, token } = await typeAndLose();
      const other = await visitMember();
      await visitor.begin({ accessToken: other.token, userId: other.user.id });
      expect((await readPage(visitor, page)).html).not.toContain(email);
      await visitor.begin({ accessToken: token, userId: user.id });
      expect((await readPage(visitor, "/profile")).html).not.toContain(email);
    });
  });

  test("keeps no passwords, no codes and nothing too long for a cookie", async () => {
    const { visitor, user } = await visitMember();
    const forms: Record<string, string>[] = [
      { intent: "password", currentPassword: "typed-secret", password: "typed-secret-too" },
      { intent: "campaign-code", verificationCode: "123456" },
      { intent: "campaign-address", email: "a".repeat(3000) },
    ];
    for (const form of forms) {
      await visitor.begin({ accessToken: "nbs_gone", userId: user.id });
      const response = await visitor.post("/profile", form);
      expect(response.status).toBe(302);
      expect(visitor.cookies.has("nodebeat_draft")).toBe(false);
    }
  });

  // specification: 2.18
  test("redirects a visitor from the profile to sign-in", async () => {
    const response = await createVisitor(pages).get("/profile");
    expect(response.headers.get("Location")).toBe("/auth?redirectTo=%2Fprofile");
  });

  test("/.well-known/change-password redirects to the password form, and unknown well-known paths are 404", async () => {
    const { visitor } = await visitMember();
    const response = await visitor.get("/.well-known/change-password");
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/profile#password"]);
    expect((await readPage(visitor, "/profile")).html).toContain('id="password"');
    // Password managers request this address to find out whether the response above means anything.
    const unknown = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
    expect((await visitor.get(unknown)).status).toBe(404);
  });
});
