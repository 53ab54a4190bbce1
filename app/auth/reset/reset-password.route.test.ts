import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../../tests/support/api/api.ts";
import { sendCheckedForm } from "../../../tests/support/pages/checked-form.ts";
import { createMailbox, tokenOf } from "../../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePages,
  findField,
  listUnreadMessages,
  readDescription,
  readPage,
  readText,
  type Visitor,
} from "../../../tests/support/pages/test-pages.ts";
import { forgotPassword, openRecovery, resendPasswordReset, resetPassword } from "../../../server/auth/contract.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";

const MINUTE = 60 * 1000;
const PASSWORD = "a new pass phrase";
const email = "ada@nodebeat.test";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
afterAll(() => database.close());

const follow = (visitor: Visitor, link: string) => visitor.get(`/auth/reset-password?token=${link}`);
const open = (visitor: Visitor) => visitor.post("/auth/reset-password", { intent: "open" });
const choose = (visitor: Visitor, password = PASSWORD) => visitor.post("/auth/reset-password", { password });
const resend = (visitor: Visitor) => visitor.post("/auth/forgot-password", { intent: "resend" });

async function expectDeadEnd(response: Response, status: number, title: string) {
  expect(response.status).toBe(status);
  const html = await response.text();
  expect(html.match(/<title>.*?<\/title>/g)).toEqual([`<title>${title} · Nodebeat</title>`]);
  expect(readText(html)).toContain(title);
  expect(html).toMatch(/<a [^>]*href="\/auth\/forgot-password"/);
}

describePages(database, api, ({ pages, visitMember }) => {
  async function forget(address = email, visitor = createVisitor(pages)) {
    return { visitor, response: await sendCheckedForm(visitor, clock, "/auth/forgot-password", { email: address }) };
  }

  async function receiveLink(address = email) {
    await forget(address);
    return tokenOf(await mailbox.read(address));
  }

  async function startRecovery() {
    const visitor = createVisitor(pages);
    await seedMember(api.deps, { email });
    await follow(visitor, await receiveLink());
    await open(visitor);
    return visitor;
  }

  test("requesting a reset shows the same page whether or not the address has an account", async () => {
    await seedMember(api.deps, { email });
    const texts: string[] = [];
    for (const address of [email, "eve@nodebeat.test"]) {
      const { visitor, response } = await forget(address);
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/forgot-password"]);
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^nodebeat_reset=[^;]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/),
      ]);
      const { status, text } = await readPage(visitor, "/auth/forgot-password");
      expect(status).toBe(200);
      expect(text).toContain(`If there is an account for ${address} , an email is on its way.`);
      texts.push(text.replaceAll(address, "").replaceAll(/\d\d:\d\d/g, ""));
    }
    expect(texts[0]).toBe(texts[1]);
  });

  test.each([
    ["an invalid email", { email: "ada" }, 400, "Enter a valid email."],
    ["a filled decoy", { email, name__confirm: "Robot" }, 422, "The bot check did not pass."],
    ["a forged token", { email, turnstileToken: "a.b.c" }, 422, "The bot check did not pass."],
  ])("rejects %s and keeps the typed email", async (_, fields, status, told) => {
    const visitor = createVisitor(pages);
    const response = await sendCheckedForm(visitor, clock, "/auth/forgot-password", fields);
    expect(response.status).toBe(status);
    const html = await response.text();
    expect(readText(html)).toContain(told);
    expect(findField(html, "email")?.value).toBe(fields.email);
    expect(readDescription(html, "email")).toBe(status === 400 ? told : "");
    expect(visitor.cookies.size).toBe(0);
  });

  test("if a reset cannot be requested, the page says so", async () => {
    pages.override(forgotPassword, () => Response.error());
    expect((await forget()).response.status).toBe(503);
    pages.override("everything", () => Response.error());
    const { status, text } = await readPage(createVisitor(pages), "/auth/forgot-password");
    expect(status).toBe(503);
    expect(text).toContain("You cannot ask for a new password right now.");
  });

  test("allows a resend only after the wait, and another address at any time", async () => {
    const { visitor } = await forget();
    const early = await resend(visitor);
    expect([early.status, early.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(readText(await early.text())).toMatch(/Please wait 60 seconds .* You can try again at/);

    clock.advance(MINUTE);
    const response = await resend(visitor);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/forgot-password"]);
    expect((await readPage(visitor, "/auth/forgot-password")).text).toContain("You asked for another email at");
    expect((await resend(visitor)).headers.get("Retry-After")).toBe("120");

    expect(findField((await readPage(visitor, "/auth/forgot-password?another")).html, "email")?.value).toBeUndefined();
  });

  test("a resend of an expired request says so, and clears the request", async () => {
    const { visitor } = await forget();
    clock.advance(61 * MINUTE);
    await expectDeadEnd(await resend(visitor), 410, "This request has expired");
    expect(visitor.cookies.size).toBe(0);
    expect((await resend(visitor)).headers.get("Location")).toBe("/auth/forgot-password");
  });

  test("if a resend fails, the page says so and keeps the request", async () => {
    const { visitor } = await forget();
    pages.override(resendPasswordReset, () => Response.error());
    const response = await resend(visitor);
    expect(response.status).toBe(503);
    expect(readText(await response.text())).toContain("right now. Please try again in a moment.");
    expect(visitor.cookies.has("nodebeat_reset")).toBe(true);
  });

  // specification: 4.8
  test("the button of a mailed link opens a recovery session, in which a new password is set", async () => {
    await seedMember(api.deps, { email });
    const { visitor } = await forget();
    const link = tokenOf(await mailbox.read(email));
    pages.calls.length = 0;

    const followed = await follow(visitor, link);
    expect([followed.status, followed.headers.get("Location")]).toEqual([302, "/auth/reset-password"]);
    const { html } = await readPage(visitor, "/auth/reset-password");
    expect(findField(html, "intent")?.value).toBe("open");
    expect(pages.calls).toEqual([]);

    const opened = await open(visitor);
    expect([opened.status, opened.headers.get("Location")]).toEqual([303, "/auth/reset-password"]);
    expect(opened.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^nodebeat_recovery=[^;]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/),
    );
    expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("PASSWORD_RECOVERY");
    const { html: form } = await readPage(visitor, "/auth/reset-password");
    expect(form).toMatch(new RegExp(`<input[^>]*autoComplete="username"[^>]*value="${email}"`));
    expect(findField(form, "password")).toMatchObject({ autoComplete: "new-password" });

    const response = await choose(visitor);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth"]);
    expect(Array.from(visitor.cookies.values())).toEqual(["PASSWORD_RECOVERY", "USER_UPDATED", "password"]);
    expect((await readPage(visitor, "/auth")).text).toContain("Your password has been changed.");

    expect(
      (await sendCheckedForm(visitor, clock, "/auth", { email, password: PASSWORD })).headers.get("Location"),
    ).toBe("/dashboard");
  });

  // specification: 2.7
  test("the page opens only with a recovery session or a mailed link", async () => {
    const { visitor: asked } = await forget();
    for (const visitor of [createVisitor(pages), asked, (await visitMember()).visitor]) {
      const response = await visitor.get("/auth/reset-password");
      expect([response.status, response.headers.get("Location")]).toEqual([302, "/auth"]);
      expect((await open(visitor)).headers.get("Location")).toBe("/auth/forgot-password?lost");
      expect((await choose(visitor)).headers.get("Location")).toBe("/auth/forgot-password?over");
    }
    const { text } = await readPage(createVisitor(pages), "/auth/forgot-password?over");
    expect(text).toContain("Your time to choose a password has run out.");
  });

  test("a signed-in member with a link can reset their password, and is then signed out", async () => {
    const { visitor, user } = await visitMember();
    await follow(visitor, await receiveLink(user.email));
    expect((await readPage(visitor, "/auth/reset-password")).text).toContain("Choose a new password");
    await open(visitor);
    expect((await readPage(visitor, "/auth/reset-password")).text).toContain("New password");

    expect((await choose(visitor)).headers.get("Location")).toBe("/auth");
    expect(visitor.cookies.has("nodebeat_session")).toBe(false);
  });

  test.each([
    ["short", "Use at least 8 characters."],
    ["password1", "That password is too easy to guess."],
    ["x".repeat(257), "Use at most 256 characters."],
  ])("rejects the password %j with a message, and does not return it", async (password, told) => {
    const visitor = await startRecovery();
    const response = await choose(visitor, password);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(readDescription(html, "password")).toContain(told);
    expect(html).not.toContain(`"${password}"`);
    expect((await choose(visitor)).status).toBe(303);
  });

  test("a recovery session ends after fifteen minutes even if the browser keeps its cookie", async () => {
    const visitor = await startRecovery();
    clock.advance(16 * MINUTE);
    await expectDeadEnd(await choose(visitor), 410, "Your time has run out");
    expect(visitor.cookies.has("nodebeat_recovery")).toBe(false);
  });

  test("a link and its recovery session work once, but the browser that opened the link can go on", async () => {
    await seedMember(api.deps, { email });
    const link = await receiveLink();
    const [first, second] = [createVisitor(pages), createVisitor(pages)];
    await follow(first, link);
    await open(first);

    await follow(second, link);
    await expectDeadEnd(await open(second), 410, "This link has already been used");
    expect(second.cookies.size).toBe(0);

    await follow(first, link);
    expect((await open(first)).headers.get("Location")).toBe("/auth/reset-password");
    // As if the button were pressed twice.
    first.cookies.forEach((value, name) => second.cookies.set(name, value));
    expect((await choose(first)).status).toBe(303);
    await expectDeadEnd(await choose(second), 410, "This request is over");
  });

  test("an expired link says so and leaves no cookies", async () => {
    await seedMember(api.deps, { email });
    const visitor = createVisitor(pages);
    const link = await receiveLink();
    clock.advance(61 * MINUTE);
    await follow(visitor, link);
    await expectDeadEnd(await open(visitor), 410, "This link has expired");
    expect(visitor.cookies.size).toBe(0);
  });

  test("says when to try again after too many attempts", async () => {
    const headers = { "Retry-After": "30" };
    const refuse = () => Response.json({ message: "Slowly.", error: "TOO_MANY_ATTEMPTS" }, { status: 429, headers });
    pages.override(openRecovery, refuse);
    pages.override(resetPassword, refuse);
    const visitor = createVisitor(pages);
    await follow(visitor, "nbl_some");
    const response = await open(visitor);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "30"]);
    expect(readText(await response.text())).toMatch(/Too many attempts .* You can try again at/);
    expect(visitor.cookies.has("nodebeat_reset_link")).toBe(true);
  });

  test("if the password cannot be changed, the page says so and keeps the recovery session", async () => {
    const visitor = await startRecovery();
    pages.override(resetPassword, () => Response.error());
    const response = await choose(visitor);
    expect(response.status).toBe(503);
    expect(readText(await response.text())).toContain("Your password cannot be changed right now.");
    expect(visitor.cookies.has("nodebeat_recovery")).toBe(true);
  });

  test("no credential appears in a page, its data or an address", async () => {
    await seedMember(api.deps, { email });
    const { visitor } = await forget();
    const link = tokenOf(await mailbox.read(email));
    const answers = [await visitor.get("/auth/forgot-password"), await visitor.get("/auth/forgot-password.data")];
    const secrets = [link, PASSWORD, tokenIn(visitor, "nodebeat_reset", "resetToken")];
    answers.push(await visitor.get(`/auth/reset-password.data?token=${link}`));
    answers.push(await visitor.get("/auth/reset-password"), await visitor.get("/auth/reset-password.data"));
    await open(visitor);
    secrets.push(tokenIn(visitor, "nodebeat_recovery", "token"));
    answers.push(await visitor.get("/auth/reset-password"), await visitor.get("/auth/reset-password.data"));
    pages.override(resetPassword, () => Response.error());
    answers.push(await choose(visitor));

    for (const secret of secrets) expect(secret).toMatch(/^.{8,}$/);
    for (const answer of answers) {
      const all = (await answer.text()) + (answer.headers.get("Location") ?? "");
      for (const secret of secrets) expect(all).not.toContain(secret);
    }
  });
});

/** Returns the secret in one of the browser's cookies. */
function tokenIn({ cookies }: Visitor, name: string, field: string): string {
  const value = JSON.parse(atob(decodeURIComponent(cookies.get(name) ?? ""))) as Record<string, string>;
  return value[field] ?? "";
}
