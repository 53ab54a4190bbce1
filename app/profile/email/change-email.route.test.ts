import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { createMailbox } from "../../../tests/support/api/mailbox.ts";
import { wrongCode } from "../../../tests/support/api/wrong-code.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePages,
  findField,
  listUnreadMessages,
  readDescription,
  readPage,
  readText,
} from "../../../tests/support/pages/test-pages.ts";
import { readEmailChange } from "../../../server/email-change/contract.ts";
import { CODE_ATTEMPTS } from "../../../server/mailed-code/contract.ts";
import { readUser } from "../../../server/profile/contract.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
afterAll(() => database.close());

const PAGE = "/profile/email";
const email = "ada@elsewhere.test";
const typed = { intent: "email", email, password: TEST_PASSWORD };
const where = (response: Response) => [response.status, response.headers.get("Location")];

describePages(database, api, ({ pages, visitMember }) => {
  test("the page changes the email once the mailed code is entered, and the profile confirms it", async () => {
    const { visitor, user, token } = await visitMember();
    expect((await readPage(visitor, "/profile")).html).toContain(`href="${PAGE}"`);
    expect((await readPage(visitor, PAGE)).text).toContain(`You sign in as ${user.email}`);

    expect(where(await visitor.post(PAGE, typed))).toEqual([303, `${PAGE}#email`]);
    const waiting = await readPage(visitor, PAGE);
    expect(waiting.text).toContain("An email with a code is on its way.");
    expect(waiting.text).toContain(`We sent a 6-digit code to ${email}`);
    expect(waiting.text).toContain("Didn’t get the email?");
    expect(findField(waiting.html, "verificationCode")).toBeDefined();

    const { code = "" } = await mailbox.read(email);
    const right = { intent: "code", verificationCode: code };
    expect(where(await visitor.post(PAGE, right))).toEqual([303, "/profile#password"]);
    expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("USER_UPDATED");
    const after = await readPage(visitor, "/profile");
    expect(after.text).toContain("You sign in with your new email from now on.");
    expect(after.text).toContain(`You sign in as ${email}`);
    expect((await api.read(readUser, { token })).email).toBe(email);
    expect(findField((await readPage(visitor, PAGE)).html, "verificationCode")).toBeUndefined();
  });

  test("explains a rejected form, and never returns the password", async () => {
    const { visitor } = await visitMember();
    const refused = await visitor.post(PAGE, { ...typed, password: "not the password" });
    const html = await refused.text();
    expect(refused.status).toBe(400);
    expect(html).toContain("That is not your password.");
    expect(html).not.toContain("not the password");
    expect(findField(html, "email")?.value).toBe(email);
    expect((await visitor.post(PAGE, { ...typed, email: "ada" })).status).toBe(400);
    expect((await visitor.post(PAGE, { intent: "no such thing" })).status).toBe(400);
  });

  test("rejects an incomplete code, and a resend until the wait is over", async () => {
    const { visitor } = await visitMember();
    await visitor.post(PAGE, typed);
    const wrong = await visitor.post(PAGE, { intent: "code", verificationCode: "12345" });
    const told = readDescription(await wrong.text(), "verificationCode");
    expect([wrong.status, told]).toEqual([400, "Enter the 6 digits of the code."]);
    const early = await visitor.post(PAGE, { intent: "resend" });
    expect([early.status, early.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await early.text()).toContain("Please wait 60 seconds before asking for another email.");

    clock.advance(60_000);
    expect(where(await visitor.post(PAGE, { intent: "resend" }))).toEqual([303, `${PAGE}#email`]);
    expect((await readPage(visitor, PAGE)).text).toContain("An email with a code is on its way.");
  });

  test.each([
    [PAGE, typed, "code"],
    ["/profile", { intent: "campaign-address", email }, "campaign-code"],
  ])("says to ask for a new code once one is used up, not to try again: %s", async (page, request, intent) => {
    const { visitor } = await visitMember();
    await visitor.post(page, request);
    const { code } = await mailbox.read(email);
    const wrong = { intent, verificationCode: wrongCode(code) };
    for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt++)
      expect((await visitor.post(page, wrong)).status).toBe(400);
    const refused = await visitor.post(page, wrong);
    const text = readText(await refused.text());
    expect(refused.status).toBe(429);
    expect(text).toContain("Too many attempts with this code. You can ask for a new one in 60 seconds.");
    expect(text).not.toContain("You can try again at");
  });

  test.each([
    ["code", "123456", 410, "This code has expired. Please ask for a new one."],
    ["code", "12345", 400, "Enter the 6 digits of the code."],
    ["resend", "", 410, "This code has expired. Please ask for a new one."],
  ])(
    "says what was wrong after the code has expired and its form is gone: %s %s",
    async (intent, code, status, told) => {
      const { visitor } = await visitMember();
      await visitor.post(PAGE, typed);
      clock.advance(25 * 3_600_000);
      const refused = await visitor.post(PAGE, { intent, verificationCode: code });
      const html = await refused.text();
      expect([refused.status, findField(html, "verificationCode")]).toEqual([status, undefined]);
      expect(readText(html)).toContain(told);
    },
  );

  test("an address that already has an account gets the same response as any other", async () => {
    await seedMember(api.deps, { email: "taken@elsewhere.test" });
    const { visitor } = await visitMember();
    expect(where(await visitor.post(PAGE, { ...typed, email: "taken@elsewhere.test" }))).toEqual([
      303,
      `${PAGE}#email`,
    ]);
    expect((await readPage(visitor, PAGE)).text).toContain("We sent a 6-digit code to taken@elsewhere.test");
  });

  test("restores what was typed when the session had ended, on this page only", async () => {
    const { visitor, user, token } = await visitMember();
    await visitor.begin({ accessToken: "nbs_gone", userId: user.id });
    const form = { ...typed, member: user.id };
    expect((await visitor.post("/profile/draft?page=email", form)).status).toBe(204);
    await visitor.begin({ accessToken: token, userId: user.id });
    // On that page, the field with this name is a different one.
    expect((await readPage(visitor, "/profile")).html).not.toContain(email);
    const { html, text } = await readPage(visitor, PAGE);
    expect(findField(html, "email")?.value).toBe(email);
    expect(html).not.toContain(TEST_PASSWORD);
    expect(text).toContain("What you typed is still here.");

    const stranger = createVisitor(pages);
    expect(where(await stranger.post(PAGE, typed))).toEqual([302, "/auth?redirectTo=%2Fprofile%2Femail"]);
  });

  test("if the backend cannot change the email, the page says how to ask for it", async () => {
    const { visitor } = await visitMember();
    pages.override(readEmailChange, () => Response.json({ isOffered: false, pending: null }));
    const { html, text } = await readPage(visitor, PAGE);
    expect(text).toContain("To use another one, write to us from this one.");
    expect(findField(html, "password")).toBeUndefined();
  });
});
