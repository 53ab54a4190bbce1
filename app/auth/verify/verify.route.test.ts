import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../../tests/support/api/api.ts";
import { sendCheckedForm } from "../../../tests/support/pages/checked-form.ts";
import { createMailbox, tokenOf } from "../../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { wrongCode } from "../../../tests/support/api/wrong-code.ts";
import {
  createVisitor,
  describePages,
  findField,
  listUnreadMessages,
  readPage,
  readText,
  type Visitor,
} from "../../../tests/support/pages/test-pages.ts";
import { resendVerification, verify } from "../../../server/auth/contract.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";

const HOUR = 60 * 60 * 1000;
const PASSWORD = "a pass phrase of mine";
const email = "ada@nodebeat.test";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
afterAll(() => database.close());

const sendCode = (visitor: Visitor, verificationCode: string) => visitor.post("/auth/verify", { verificationCode });
const useLink = (visitor: Visitor) => visitor.post("/auth/verify", { intent: "link" });
const resend = (visitor: Visitor) => visitor.post("/auth/verify", { intent: "resend" });

async function expectMember(response: Response, visitor: Visitor) {
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/dashboard"]);
  expect(response.headers.has("X-Remix-Reload-Document")).toBe(true);
  expect(Array.from(visitor.cookies.keys()).sort()).toEqual([
    expect.stringMatching(/^event_auth_/),
    "nodebeat_device",
    "nodebeat_session",
  ]);
  expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("SIGNED_IN");
  expect((await visitor.get("/dashboard")).status).toBe(200);
}

const ACCOUNT = ["/auth Sign in", "/auth/forgot-password Forgot password?"];
/** The links of each dead end, by its title. */
const WAYS: Record<string, string[]> = {
  "This sign-up has expired": ["/auth/signup Sign up again", "/auth Sign in"],
  "Your email is already confirmed": ACCOUNT,
  "This address already has an account": ACCOUNT,
  "Use the code from the email": ["/auth/verify Enter the code", "/auth/signup Sign up again"],
  "Too many attempts": ["/auth/verify Try again", "/auth Sign in"],
};

async function expectDeadEnd(response: Response, status: number, title: string, links = WAYS[title]) {
  expect(response.status).toBe(status);
  const html = await response.text();
  expect(html.match(/<title>.*?<\/title>/g)).toEqual([`<title>${title} · Nodebeat</title>`]);
  expect(readText(html)).toContain(title);
  const ways = html.slice(html.lastIndexOf("<h1")).matchAll(/<a href="([^"]+)" class="button[^>]*>([^<]+)</g);
  expect(Array.from(ways, ([, to, words]) => `${to} ${words}`)).toEqual(links);
}

describePages(database, api, ({ pages, visitMember }) => {
  /** Returns a visitor whose sign-up waits for the code from the email. */
  async function waitForCode() {
    const visitor = createVisitor(pages);
    await sendCheckedForm(visitor, clock, "/auth/signup", { email, password: PASSWORD });
    const mail = await mailbox.read(email);
    return { visitor, code: mail.code ?? "", link: tokenOf(mail) };
  }

  test("the mailed code confirms the sign-up, even with spaces or hyphens between its digits", async () => {
    const { visitor, code } = await waitForCode();
    const response = await sendCode(visitor, ` ${code.slice(0, 3)}-${code.slice(3)} `);
    expect(response.status).toBe(303);
    await expectMember(response, visitor);
  });

  test.each(["", "12345", "abcdef"])("rejects the code %j without using up an attempt", async (given) => {
    const { visitor } = await waitForCode();
    const response = await sendCode(visitor, given);
    expect(response.status).toBe(400);
    expect(readText(await response.text())).toMatch(/Enter the (6 digits of the )?code\./);
    expect(pages.calls).not.toContain("POST /api/auth/verify");
  });

  test("counts down wrong codes, and after the last says when another can be requested", async () => {
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
    // That code never works again.
    await expectDeadEnd(response, 429, "Too many attempts", ["/auth/verify Enter a code", "/auth Sign in"]);
    expect(readText(html)).toMatch(
      /Too many attempts with this code\. .* You can ask again from \d+ \w+ \d+, \d\d:\d\d UTC/,
    );
    expect(html).toContain('value="resend"');
    expect(visitor.cookies.has("nodebeat_signup")).toBe(true);

    clock.advance(60_000);
    expect((await resend(visitor)).status).toBe(303);
    await expectMember(await sendCode(visitor, (await mailbox.read(email)).code ?? ""), visitor);
  });

  test("allows a resend only after the wait", async () => {
    const { visitor } = await waitForCode();
    const early = await resend(visitor);
    expect([early.status, early.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(readText(await early.text())).toMatch(/Please wait 60 seconds .* You can try again at/);

    clock.advance(60_000);
    const response = await resend(visitor);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/verify"]);
    expect((await readPage(visitor, "/auth/verify")).text).toContain("We sent another email at");
    expect((await resend(visitor)).headers.get("Retry-After")).toBe("120");
  });

  test("says that a sign-up has expired, and clears it", async () => {
    for (const act of [(visitor: Visitor) => sendCode(visitor, "123456"), resend]) {
      const { visitor } = await waitForCode();
      clock.advance(25 * HOUR);
      await expectDeadEnd(await act(visitor), 410, "This sign-up has expired");
      expect(visitor.cookies.size).toBe(0);
      expect((await readPage(visitor, "/auth/verify")).text).toContain("There is no email address to confirm");
    }
  });

  test("says that a used code has already confirmed the email, and clears the sign-up", async () => {
    const { visitor, code } = await waitForCode();
    const copy = new Map(visitor.cookies);
    await sendCode(visitor, code);
    const other = createVisitor(pages);
    copy.forEach((value, name) => other.cookies.set(name, value));
    await expectDeadEnd(await sendCode(other, code), 410, "Your email is already confirmed");
    expect(other.cookies.size).toBe(0);
  });

  test("says so if the address got an account in the meantime", async () => {
    const { visitor, code } = await waitForCode();
    await seedMember(api.deps, { email });
    const response = await sendCode(visitor, code);
    // The account may have changed its email to this address. Its member then has confirmed no sign-up, and chosen no
    // password for one.
    const text = readText(await response.clone().text());
    expect(text).toContain("Sign in with the password of that account. If you do not know it, choose a new one.");
    await expectDeadEnd(response, 409, "This address already has an account");
    expect(visitor.cookies.size).toBe(0);
  });

  test("without a pending sign-up, nothing is confirmed or resent", async () => {
    const forms: Record<string, string>[] = [{ verificationCode: "123456" }, { intent: "resend" }];
    for (const form of forms) {
      const response = await createVisitor(pages).post("/auth/verify", form);
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth/verify"]);
    }
    expect((await createVisitor(pages).send("/auth/verify", { method: "POST", body: "{}" })).status).toBe(400);
    expect(pages.calls).toEqual([]);
  });

  test("if the email cannot be confirmed, the page says so and keeps what is pending", async () => {
    const { visitor, code, link } = await waitForCode();
    pages.override(verify, () => Response.error());
    pages.override(resendVerification, () => Response.error());
    for (const act of [() => sendCode(visitor, code), () => resend(visitor)]) {
      const response = await act();
      expect(response.status).toBe(503);
      const html = await response.text();
      expect(readText(html)).toContain("Your email cannot be confirmed right now.");
      expect(html).not.toContain(code);
      expect(Array.from(visitor.cookies.keys())).toEqual(["nodebeat_signup"]);
    }
    await visitor.get(`/auth/verify?code=${link}`);
    const response = await useLink(visitor);
    expect(response.status).toBe(503);
    expect(readText(await response.text())).toContain("Confirm my email");
    expect(Array.from(visitor.cookies.keys()).sort()).toEqual(["nodebeat_signup", "nodebeat_verify_link"]);
    expect(pages.log.error).toHaveBeenCalledTimes(3);
  });

  test("a response without a token starts no session", async () => {
    const { visitor, code } = await waitForCode();
    pages.override(verify, () => Response.json({ user: { id: "u" } }));
    expect((await sendCode(visitor, code)).status).toBe(503);
    expect(visitor.cookies.has("nodebeat_session")).toBe(false);
  });

  test("a mailed link works in another browser, but only when its button is pressed", async () => {
    const { link } = await waitForCode();
    const visitor = createVisitor(pages);
    pages.calls.length = 0;

    const opened = await visitor.get(`/auth/verify?code=${link}`);
    expect([opened.status, opened.headers.get("Location")]).toEqual([302, "/auth/verify"]);
    expect(opened.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^nodebeat_verify_link=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const { html } = await readPage(visitor, "/auth/verify");
    expect(html).toContain("Confirm my email");
    expect(html).not.toContain(link);
    expect(pages.calls).toEqual([]);

    await expectMember(await useLink(visitor), visitor);
  });

  test("a link that no longer works says whether it has expired or was used", async () => {
    const { visitor: first, link, code } = await waitForCode();
    await sendCode(first, code);
    const visitor = createVisitor(pages);
    await visitor.get(`/auth/verify?code=${link}`);
    await expectDeadEnd(await useLink(visitor), 410, "Your email is already confirmed");
    await visitor.get("/auth/verify?code=nbv_unknown");
    await expectDeadEnd(await useLink(visitor), 410, "This sign-up has expired");
    expect(visitor.cookies.size).toBe(0);
  });

  test("refuses a link from another sign-up for the same address, and still accepts this sign-up's code", async () => {
    const { link } = await waitForCode();
    const { visitor, code } = await waitForCode();
    await visitor.get(`/auth/verify?code=${link}`);
    const response = await useLink(visitor);
    await expectDeadEnd(response, 422, "Use the code from the email");
    expect((await readPage(visitor, "/auth/verify")).text).toContain("We sent a 6-digit code");

    const other = createVisitor(pages);
    await other.get(`/auth/verify?code=${link}`);
    await expectDeadEnd(await useLink(other), 422, "Use the code from the email", ["/auth/signup Sign up again"]);
    await expectMember(await sendCode(visitor, code), visitor);
  });

  test("says when to try again after too many attempts with a link, and keeps the link", async () => {
    const visitor = createVisitor(pages);
    await visitor.get("/auth/verify?code=nbv_some");
    const headers = { "Retry-After": "30" };
    pages.override(verify, () =>
      Response.json({ message: "Slowly.", error: "TOO_MANY_ATTEMPTS" }, { status: 429, headers }),
    );
    const response = await useLink(visitor);
    expect(response.headers.get("Retry-After")).toBe("30");
    expect(readText(await response.clone().text())).toMatch(
      /Wait a moment, then try again\. You can try again at \d+ \w+ \d+, \d\d:\d\d UTC/,
    );
    await expectDeadEnd(response, 429, "Too many attempts");
    expect(visitor.cookies.has("nodebeat_verify_link")).toBe(true);
  });

  test("keeps no malformed link token, and no link token at all for a member", async () => {
    const visitor = createVisitor(pages);
    const response = await visitor.get(`/auth/verify?code=${"a".repeat(300)}`);
    expect(response.headers.get("Location")).toBe("/auth/verify");
    expect(visitor.cookies.size).toBe(0);

    const { visitor: member } = await visitMember();
    await member.get("/auth/verify?code=nbv_some");
    expect(Array.from(member.cookies.keys())).toEqual(["nodebeat_session"]);
  });

  test("no credential appears in a page, its data or an address", async () => {
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
