import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../../tests/support/api/api.ts";
import { sendCheckedForm } from "../../../tests/support/pages/checked-form.ts";
import { createMailbox } from "../../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePagesOver,
  findField,
  readDescription,
  readPage,
  readText,
  TRANSPORTS,
} from "../../../tests/support/pages/test-pages.ts";
import { signUp } from "../../../server/auth/contract.ts";
import { readStats } from "../../../server/points/contract.ts";
import { readUser } from "../../../server/profile/contract.ts";

const PASSWORD = "a pass phrase of mine";
const email = "ada@nodebeat.test";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
afterAll(() => database.close());

describePagesOver(TRANSPORTS, database, api, ({ pages }) => {
  async function sendSignUp(changes: Record<string, string> = {}, query = "") {
    const visitor = createVisitor(pages);
    const form = { email, password: PASSWORD, referralCode: "", ...changes };
    return { visitor, response: await sendCheckedForm(visitor, clock, `/auth/signup${query}`, form) };
  }

  test("signing up redirects to the page that asks for the code", async () => {
    const { visitor, response } = await sendSignUp({ email: " Ada@nodebeat.test " });

    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/verify"]);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^nodebeat_signup=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^nodebeat_verify_link=; Max-Age=0;/),
    ]);
    const { status, text, html } = await readPage(visitor, "/auth/verify");
    expect(status).toBe(200);
    expect(text).toContain("We sent a 6-digit code to Ada@nodebeat.test");
    expect(findField(html, "verificationCode")).toMatchObject({ inputMode: "numeric", autoComplete: "one-time-code" });
    expect(text).toMatch(/You can ask again from \d+ \w+ \d+, \d\d:\d\d UTC/);
  });

  test("the sign-up page links to the documents that a new member agrees to", async () => {
    const { html, text } = await readPage(createVisitor(pages), "/auth/signup");
    expect(text).toMatch(/By creating an account you agree to the Terms of Service .* and the Privacy Policy /);
    expect(html).toMatch(/<a href="\/terms" target="_blank"/);
    expect(html).toMatch(/<a href="\/privacy" target="_blank"/);
  });

  test("a verification link followed before signing up does not hide the form for the new code", async () => {
    const visitor = createVisitor(pages);
    await visitor.get("/auth/verify?code=nbv_old");
    await sendCheckedForm(visitor, clock, "/auth/signup", { email, password: PASSWORD });
    expect((await readPage(visitor, "/auth/verify")).text).toContain(`We sent a 6-digit code to ${email}`);
  });

  test("an address that already has an account gets the same response as any other", async () => {
    await seedMember(api.deps, { email });
    const { visitor, response } = await sendSignUp();
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/verify"]);
    expect((await readPage(visitor, "/auth/verify")).text).toContain(`We sent a 6-digit code to ${email}`);
  });

  test("rejects invalid fields without sending them to the API, and does not keep the password", async () => {
    const { response } = await sendSignUp({ email: "ada", password: "short", referralCode: "K7Q" });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(readDescription(html, "email")).toBe("Enter a valid email.");
    expect(readDescription(html, "password")).toContain("Use at least 8 characters.");
    expect(readDescription(html, "referralCode")).toContain("Invalid referral code");
    expect(findField(html, "email")?.value).toBe("ada");
    expect(findField(html, "referralCode")?.value).toBe("K7Q");
    expect(findField(html, "password")?.value).toBeUndefined();
    expect(pages.calls).not.toContain("POST /api/auth/signup");
  });

  test.each([
    ["a common password", { password: "password1" }, "password", "That password is too easy to guess"],
    ["a code that nobody has", { referralCode: "ZZZZZ" }, "referralCode", "Invalid referral code"],
  ])("shows the error for %s at its field, and the form can be sent again", async (_, mistake, name, told) => {
    const { visitor, response } = await sendSignUp(mistake);
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual([]);
    const html = await response.text();
    expect(html).not.toContain("password1");
    expect(readDescription(html, name)).toContain(told);
    expect(findField(html, "email")?.value).toBe(email);

    clock.advance(2000);
    const turnstileToken = findField(html, "turnstileToken")?.value ?? "";
    const again = { email, password: PASSWORD, referralCode: "", turnstileToken, name__confirm: "" };
    expect((await visitor.post("/auth/signup", again)).status).toBe(303);
  });

  test.each([
    ["no token", { turnstileToken: "" }, 400],
    ["a forged token", { turnstileToken: "a.b.c" }, 422],
    ["a filled decoy", { name__confirm: "Robot" }, 422],
  ])("rejects a robot: %s", async (_, mistake, status) => {
    const { visitor, response } = await sendSignUp(mistake);
    expect(response.status).toBe(status);
    expect(visitor.cookies.size).toBe(0);
    expect(readText(await response.text())).toContain("The bot check did not pass.");
  });

  // specification: 1.5, 9.2
  test("an invitation prefills its code, and whoever verifies with it gets its points", async () => {
    const { user: inviter } = await seedMember(api.deps);
    const code = inviter.personal_code ?? "";
    const { html, text } = await readPage(createVisitor(pages), `/auth/signup?referralCode=${code}`);
    expect(findField(html, "referralCode")?.value).toBe(code);
    expect(text).toContain(`with the code ${code}. Sign up with it to start with 1.000 extra points.`);
    const { visitor } = await sendSignUp({ referralCode: code });
    const { code: verificationCode = "" } = await mailbox.read(email);
    expect((await visitor.post("/auth/verify", { verificationCode })).status).toBe(303);

    const cookie = decodeURIComponent(visitor.cookies.get("nodebeat_session") ?? "");
    const { accessToken } = JSON.parse(atob(cookie)) as { accessToken: string };
    expect((await api.read(readUser, { token: accessToken })).invited_by).toBe(inviter.id);
    expect((await api.read(readStats, { token: accessToken })).points_total).toBe(1000);
  });

  // specification: 2.5
  test("an invalid referral code in the address does not stop a sign-up without one", async () => {
    const { response } = await sendSignUp({}, "?referralCode=abc");
    expect(response.status).toBe(303);
  });

  test("says when to try again after too many sign-ups", async () => {
    const headers = { "Retry-After": "90" };
    pages.override(signUp, () =>
      Response.json({ message: "Too many attempts.", error: "TOO_MANY_ATTEMPTS" }, { status: 429, headers }),
    );
    const { response } = await sendSignUp();
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "90"]);
    expect(readText(await response.text())).toMatch(
      /Too many attempts\. You can try again at \d+ \w+ \d+, \d\d:\d\d UTC/,
    );
  });

  test("if signing up does not work, the page says so and keeps the email", async () => {
    pages.override(signUp, () => Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 }));
    const { response } = await sendSignUp();
    expect(response.status).toBe(503);
    const html = await response.text();
    expect(readText(html)).toContain("Signing up does not work right now.");
    expect(findField(html, "email")?.value).toBe(email);
    pages.override("everything", () => Response.error());
    expect((await createVisitor(pages).get("/auth/signup")).status).toBe(503);
  });
});
