import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api.ts";
import { createMailbox, tokenOf } from "../../tests/support/mailbox.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import {
  createVisitor,
  describePages,
  findAction,
  findField,
  readPage,
  readText,
  type Visitor,
} from "../../tests/support/test-pages.ts";
import { resendVerification, signUp, verify } from "../../server/auth/contract.ts";
import { readStats } from "../../server/points/contract.ts";
import { readUser } from "../../server/profile/contract.ts";

const HOUR = 60 * 60 * 1000;
const PASSWORD = "a pass phrase of mine";
const email = "ada@nodebeat.test";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  /** Fills in the sign-up page and takes as long over it as a person does. */
  async function sendSignUp(changes: Record<string, string> = {}, visitor = createVisitor(pages), query = "") {
    const page = await (await visitor.get(`/auth/signup${query}`)).text();
    clock.advance(2000);
    const turnstileToken = findField(page, "turnstileToken")?.value ?? "";
    const referralCode = findField(page, "referralCode")?.value ?? "";
    const form = { email, password: PASSWORD, referralCode, turnstileToken, name__confirm: "", ...changes };
    return { visitor, response: await visitor.post(findAction(page, "turnstileToken"), form) };
  }

  /** A visitor whose sign-up waits for the code of a mail. */
  async function waitForCode() {
    const { visitor } = await sendSignUp();
    const mail = await mailbox.read(email);
    return { visitor, code: mail.code ?? "", link: tokenOf(mail) };
  }

  const sendCode = (visitor: Visitor, verificationCode: string) => visitor.post("/auth/verify", { verificationCode });
  const resend = (visitor: Visitor) => visitor.post("/auth/verify", { intent: "resend" });
  const wrongCode = (code: string) => (code === "000000" ? "111111" : "000000");

  async function expectMember(response: Response, visitor: Visitor) {
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/dashboard"]);
    expect(response.headers.has("X-Remix-Reload-Document")).toBe(true);
    expect(Array.from(visitor.cookies.keys()).sort()).toEqual(["auth_event", "nodebeat_session"]);
    expect(visitor.cookies.get("auth_event")).toBe("SIGNED_IN");
    expect((await visitor.get("/dashboard")).status).toBe(200);
  }

  async function expectDeadEnd(response: Response, status: number, title: string) {
    expect(response.status).toBe(status);
    expect(readText(await response.text())).toContain(title);
  }

  test("a sign-up leads to the page that waits for the code", async () => {
    const { visitor, response } = await sendSignUp({ email: " Ada@nodebeat.test " });

    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/verify"]);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^nodebeat_signup=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const { status, text, html } = await readPage(visitor, "/auth/verify");
    expect(status).toBe(200);
    expect(text).toContain("We mailed a code of 6 digits to Ada@nodebeat.test");
    expect(findField(html, "verificationCode")).toMatchObject({ inputMode: "numeric", autoComplete: "one-time-code" });
    expect(text).toMatch(/Possible from \d+ \w+, \d\d:\d\d UTC/);
  });

  test("an address that has an account is answered like any other", async () => {
    await seedMember(api.deps, { email });
    const { visitor, response } = await sendSignUp();
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/verify"]);
    expect((await readPage(visitor, "/auth/verify")).text).toContain(`We mailed a code of 6 digits to ${email}`);
  });

  test("what is wrong is told beside each field, without asking the API; the password is not kept", async () => {
    const { response } = await sendSignUp({ email: "ada", password: "short", referralCode: "K7Q" });
    expect(response.status).toBe(400);
    const html = await response.text();
    const text = readText(html);
    for (const told of ["Enter a valid email.", "Use at least 8 characters.", "Invalid referral code"])
      expect(text).toContain(told);
    expect(findField(html, "email")?.value).toBe("ada");
    expect(findField(html, "referralCode")?.value).toBe("K7Q");
    expect(findField(html, "password")?.value).toBeUndefined();
    expect(pages.calls).not.toContain("POST /api/auth/signup");
  });

  test.each([
    ["a common password", { password: "password1" }, "password", "That password is one of the first"],
    ["a code that nobody has", { referralCode: "ZZZZZ" }, "referralCode", "Invalid referral code"],
  ])("%s is told beside its field, and the page can be sent again", async (_, mistake, name, told) => {
    const { visitor, response } = await sendSignUp(mistake);
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual([]);
    const html = await response.text();
    expect(html).not.toContain("password1");
    const described = findField(html, name)?.["aria-describedby"]?.split(" ").at(-1);
    expect(html).toMatch(new RegExp(`id="${described}"[^>]*>${told}`));
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
  ])("a robot is refused: %s", async (_, mistake, status) => {
    const { visitor, response } = await sendSignUp(mistake);
    expect(response.status).toBe(status);
    expect(visitor.cookies.size).toBe(0);
    expect(readText(await response.text())).toContain("The bot check did not pass.");
  });

  test("an invitation fills in its code, which brings its points to whoever verifies", async () => {
    const { user: inviter } = await seedMember(api.deps);
    const code = inviter.personal_code ?? "";
    const { visitor } = await sendSignUp({}, undefined, `?referralCode=${code}`);
    await expectMember(await sendCode(visitor, (await mailbox.read(email)).code ?? ""), visitor);

    const cookie = decodeURIComponent(visitor.cookies.get("nodebeat_session") ?? "");
    const { accessToken } = JSON.parse(atob(cookie)) as { accessToken: string };
    expect((await api.read(readUser, { token: accessToken })).invited_by).toBe(inviter.id);
    expect((await api.read(readStats, { token: accessToken })).points_total).toBe(1000);
  });

  test("an invalid code in the address does not stop a sign-up without one", async () => {
    const { response } = await sendSignUp({}, undefined, "?referralCode=abc");
    expect(response.status).toBe(303);
  });

  test("too many sign-ups are told when to try again", async () => {
    const headers = { "Retry-After": "90" };
    pages.override(signUp, () =>
      Response.json({ message: "Too many attempts.", error: "TOO_MANY_ATTEMPTS" }, { status: 429, headers }),
    );
    const { response } = await sendSignUp();
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "90"]);
    expect(readText(await response.text())).toMatch(/Too many attempts\. You can try again at \d+ \w+, \d\d:\d\d UTC/);
  });

  test("while signing up does not work, the page says so and keeps the email", async () => {
    pages.override(signUp, () => Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 }));
    const { response } = await sendSignUp();
    expect(response.status).toBe(503);
    const html = await response.text();
    expect(readText(html)).toContain("Signing up does not work right now.");
    expect(findField(html, "email")?.value).toBe(email);
    pages.override("everything", () => Response.error());
    expect((await createVisitor(pages).get("/auth/signup")).status).toBe(503);
  });

  test("the mailed code makes a member, whatever stands between its digits", async () => {
    const { visitor, code } = await waitForCode();
    await expectMember(await sendCode(visitor, ` ${code.slice(0, 3)}-${code.slice(3)} `), visitor);
  });

  test.each(["", "12345", "abcdef"])("%j is no code, and costs no attempt", async (given) => {
    const { visitor } = await waitForCode();
    const response = await sendCode(visitor, given);
    expect(response.status).toBe(400);
    expect(readText(await response.text())).toMatch(/Enter the (6 digits of the )?code\./);
    expect(pages.calls).not.toContain("POST /api/auth/verify");
  });

  test("wrong codes are counted down, the last leads to a page that says when to ask for another", async () => {
    const { visitor, code } = await waitForCode();
    for (const told of [
      "4 attempts left",
      "3 attempts left",
      "2 attempts left",
      "1 attempt left",
      "the last attempt",
    ]) {
      const response = await sendCode(visitor, wrongCode(code));
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(readText(html)).toContain(told);
      expect(findField(html, "verificationCode")?.value ?? "").toBe("");
    }
    const response = await sendCode(visitor, code);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    const html = await response.clone().text();
    await expectDeadEnd(response, 429, "Too many attempts");
    expect(readText(html)).toMatch(/Ask for another mail at \d+ \w+, \d\d:\d\d UTC/);
    expect(html).toContain('value="resend"');
    expect(visitor.cookies.has("nodebeat_signup")).toBe(true);

    clock.advance(60_000);
    expect((await resend(visitor)).status).toBe(303);
    await expectMember(await sendCode(visitor, (await mailbox.read(email)).code ?? ""), visitor);
  });

  test("another mail can be asked for after the wait, and not before", async () => {
    const { visitor } = await waitForCode();
    const early = await resend(visitor);
    expect([early.status, early.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(readText(await early.text())).toMatch(/Please wait 60 seconds .* You can try again at/);

    clock.advance(60_000);
    const response = await resend(visitor);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/verify"]);
    expect((await readPage(visitor, "/auth/verify")).text).toContain("Another mail was sent at");
    expect((await resend(visitor)).headers.get("Retry-After")).toBe("120");
  });

  test("a sign-up that has expired is told so, and forgotten", async () => {
    for (const act of [(visitor: Visitor) => sendCode(visitor, "123456"), resend]) {
      const { visitor } = await waitForCode();
      clock.advance(25 * HOUR);
      await expectDeadEnd(await act(visitor), 410, "This sign-up has expired");
      expect(visitor.cookies.size).toBe(0);
      expect((await readPage(visitor, "/auth/verify")).text).toContain("No address is waiting");
    }
  });

  test("a code that was used is told so, and forgotten", async () => {
    const { visitor, code } = await waitForCode();
    const copy = new Map(visitor.cookies);
    await sendCode(visitor, code);
    const other = createVisitor(pages);
    copy.forEach((value, name) => other.cookies.set(name, value));
    await expectDeadEnd(await sendCode(other, code), 410, "Your email is confirmed already");
    expect(other.cookies.size).toBe(0);
  });

  test("an address that got an account meanwhile is told so", async () => {
    const { visitor, code } = await waitForCode();
    await seedMember(api.deps, { email });
    await expectDeadEnd(await sendCode(visitor, code), 409, "This address has an account");
  });

  test("without a sign-up there is nothing to confirm or to send again", async () => {
    const forms: Record<string, string>[] = [{ verificationCode: "123456" }, { intent: "resend" }, { intent: "link" }];
    for (const form of forms) {
      const response = await createVisitor(pages).post("/auth/verify", form);
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/verify"]);
    }
    expect((await createVisitor(pages).send("/auth/verify", { method: "POST", body: "{}" })).status).toBe(400);
    expect(pages.calls).toEqual([]);
  });

  test("while nothing can be confirmed, the page says so and keeps what is waiting", async () => {
    const { visitor, code, link } = await waitForCode();
    pages.override(verify, () => Response.error());
    pages.override(resendVerification, () => Response.error());
    for (const act of [() => sendCode(visitor, code), () => resend(visitor)]) {
      const response = await act();
      expect(response.status).toBe(503);
      const html = await response.text();
      expect(readText(html)).toContain("Your email cannot be confirmed right now.");
      expect(html).not.toContain(code);
    }
    await visitor.get(`/auth/verify?code=${link}`);
    const response = await visitor.post("/auth/verify", { intent: "link" });
    expect(response.status).toBe(503);
    expect(readText(await response.text())).toContain("Confirm my email");
    expect(pages.log.error).toHaveBeenCalledTimes(3);
  });

  test("an answer that brings no token confirms nothing", async () => {
    const { visitor, code } = await waitForCode();
    pages.override(verify, () => Response.json({ user: { id: "u" } }));
    expect((await sendCode(visitor, code)).status).toBe(503);
    expect(visitor.cookies.has("nodebeat_session")).toBe(false);
  });

  test("a mailed link works in another browser, and only by its button", async () => {
    const { link } = await waitForCode();
    const visitor = createVisitor(pages);
    pages.calls.length = 0;

    const opened = await visitor.get(`/auth/verify?code=${link}`);
    expect([opened.status, opened.headers.get("Location")]).toEqual([302, "/auth/verify"]);
    expect(opened.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^nodebeat_verify_link=[^;]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const { html } = await readPage(visitor, "/auth/verify");
    expect(html).toContain("Confirm my email");
    expect(html).not.toContain(link);
    expect(pages.calls).toEqual([]);

    await expectMember(await visitor.post("/auth/verify", { intent: "link" }), visitor);
  });

  test("a link that is over says why: expired, or used", async () => {
    const { visitor: first, link, code } = await waitForCode();
    await sendCode(first, code);
    const visitor = createVisitor(pages);
    await visitor.get(`/auth/verify?code=${link}`);
    await expectDeadEnd(await visitor.post("/auth/verify", { intent: "link" }), 410, "Your email is confirmed already");
    await visitor.get("/auth/verify?code=nbv_unknown");
    await expectDeadEnd(await visitor.post("/auth/verify", { intent: "link" }), 410, "This sign-up has expired");
    expect(visitor.cookies.size).toBe(0);
  });

  test("too many attempts with a link are told when to try again, and the link is kept", async () => {
    const visitor = createVisitor(pages);
    await visitor.get("/auth/verify?code=nbv_some");
    const headers = { "Retry-After": "30" };
    pages.override(verify, () =>
      Response.json({ message: "Slowly.", error: "TOO_MANY_ATTEMPTS" }, { status: 429, headers }),
    );
    const response = await visitor.post("/auth/verify", { intent: "link" });
    expect(response.headers.get("Retry-After")).toBe("30");
    await expectDeadEnd(response, 429, "Too many attempts");
    expect(visitor.cookies.has("nodebeat_verify_link")).toBe(true);
  });

  test("what cannot be a link's token is not kept, and a member's browser keeps none", async () => {
    const visitor = createVisitor(pages);
    const response = await visitor.get(`/auth/verify?code=${"a".repeat(300)}`);
    expect(response.headers.get("Location")).toBe("/auth/verify");
    expect(visitor.cookies.size).toBe(0);

    const { visitor: member } = await visitMember();
    await member.get("/auth/verify?code=nbv_some");
    expect(Array.from(member.cookies.keys())).toEqual(["nodebeat_session"]);
  });

  test("nothing that works as a credential is in a page, its data or an address", async () => {
    const { visitor, code, link } = await waitForCode();
    const cookie = decodeURIComponent(visitor.cookies.get("nodebeat_signup") ?? "");
    const { signupToken } = JSON.parse(atob(cookie)) as { signupToken: string };
    const answers = [await visitor.get("/auth/verify"), await visitor.get("/auth/verify.data")];
    answers.push(await visitor.get(`/auth/verify.data?code=${link}`), await visitor.get("/auth/verify.data"));
    answers.push(await sendCode(visitor, wrongCode(code)));
    for (const answer of answers) {
      const all = (await answer.text()) + (answer.headers.get("Location") ?? "");
      for (const secret of [signupToken, link, code, PASSWORD]) expect(all).not.toContain(secret);
    }
  });
});
