import { RouterContextProvider } from "react-router";
import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { sendCheckedForm } from "../../tests/support/pages/checked-form.ts";
import { createMailbox, tokenOf } from "../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePagesOver,
  findAction,
  findField,
  readPage,
  readText,
  TRANSPORTS,
  type Visitor,
} from "../../tests/support/pages/test-pages.ts";
import { login, LoginResult } from "../../server/auth/contract.ts";
import { PasswordResetState } from "../../server/mailed-code/contract.ts";
import { readUser } from "../../server/profile/contract.ts";
import { originContext } from "../page/context.ts";
import { createSessionCookie } from "../session/session.ts";
import { openPendingCookies } from "./pending-cookies.ts";

const email = "ada@nodebeat.test";
const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  // specification: 4.2, 4.3, 4.4, 4.5
  test("signing in reloads the document, and clears a pending sign-up and password reset", async () => {
    await seedMember(api.deps, { email });
    const visitor = createVisitor(pages);
    await sendCheckedForm(visitor, clock, "/auth/signup", { email: "new@nodebeat.test", password: TEST_PASSWORD });
    await sendCheckedForm(visitor, clock, "/auth/forgot-password", { email });
    expect((await readPage(visitor, "/auth/forgot-password")).text).toContain(email);
    expect((await readPage(visitor, "/auth/verify")).text).toContain("new@nodebeat.test");
    clock.advance(60_000);

    const response = await sendCheckedForm(visitor, clock, "/auth", { email, password: TEST_PASSWORD });
    expect(response.headers.get("Location")).toBe("/dashboard");
    expect(response.headers.has("X-Remix-Reload-Document")).toBe(true);
    expect(visitor.cookies.has("nodebeat_session")).toBe(true);

    await visitor.post("/auth/logout");
    const { html, text } = await readPage(visitor, "/auth/forgot-password");
    expect(text).not.toContain(email);
    expect(findField(html, "email")?.value).toBeUndefined();
    expect((await readPage(visitor, "/auth/verify")).text).toContain("There is no email address to confirm");
  });

  test.each(["/auth", "/auth?redirectTo=%2Frewards"])(
    "if the browser keeps no cookies, signing in at %s leads back to a page that says so",
    async (path) => {
      await seedMember(api.deps, { email });
      const visitor = createVisitor(pages);
      // Browsers send the form's page as the referrer through both redirects.
      const Referer = `http://nodebeat.test${path}`;
      const signedIn = await sendCheckedForm(visitor, clock, path, { email, password: TEST_PASSWORD });
      visitor.cookies.clear();
      const led = await visitor.get(signedIn.headers.get("Location") ?? "", { Referer });
      expect([led.status, led.headers.get("Location")]).toEqual([302, path]);

      const says = async (headers: Record<string, string>) =>
        readText(await (await visitor.get(path, headers)).text()).includes("Signing in needs cookies");
      visitor.cookies.clear();
      expect(await says({ Referer })).toBe(true);
      expect(await says({})).toBe(false);
      expect(await says({ Referer: "http://nodebeat.test/faqs" })).toBe(false);
      expect(await says({ Referer, "Sec-Fetch-Mode": "cors" }), "a link of the page itself").toBe(false);
      visitor.cookies.set("theme", "dark");
      expect(await says({ Referer }), "a browser with cookies").toBe(false);
    },
  );

  test("an access token too long for a cookie fails the sign-in, and the log says why", async () => {
    await seedMember(api.deps, { email });
    pages.override(login, async (request) => {
      const { user } = LoginResult.parse(await (await api.fetch(request)).json());
      return Response.json({ access_token: "a".repeat(3500), user });
    });
    const visitor = createVisitor(pages);
    const response = await sendCheckedForm(visitor, clock, "/auth", { email, password: TEST_PASSWORD });
    expect([response.status, visitor.cookies.has("nodebeat_session")]).toEqual([503, false]);
    expect(readText(await response.text())).toContain("Signing in does not work right now.");
    const err = new Error("The access token is longer than a browser keeps in a cookie");
    expect(pages.log.error).toHaveBeenCalledExactlyOnceWith({ err }, "A form was refused");
  });

  test("signing in again in a tab that still shows the form ends the previous session", async () => {
    await seedMember(api.deps, { email });
    const visitor = createVisitor(pages);
    const form = await (await visitor.get("/auth")).text();
    await sendCheckedForm(visitor, clock, "/auth", { email, password: TEST_PASSWORD });
    const first = await readToken(visitor);

    const turnstileToken = findField(form, "turnstileToken")?.value ?? "";
    const fields = { turnstileToken, name__confirm: "", email, password: TEST_PASSWORD };
    await visitor.post(findAction(form, "turnstileToken"), fields);

    const second = await readToken(visitor);
    expect(second).not.toBe(first);
    const answers = await Promise.all([first, second].map((token) => api.call(readUser, { token })));
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  });

  test("signing in or out discards a reset link that was followed or opened before", async () => {
    const { visitor, user } = await visitMember();
    const where = async () => (await visitor.get("/auth/reset-password")).headers.get("Location");
    for (const isOpened of [false, true]) {
      const follow = async () => {
        await sendCheckedForm(createVisitor(pages), clock, "/auth/forgot-password", { email: user.email });
        await visitor.get(`/auth/reset-password?token=${tokenOf(await createMailbox(api.deps).read(user.email))}`);
        if (isOpened) await visitor.post("/auth/reset-password", { intent: "open" });
        expect(await where()).toBeNull();
      };
      await follow();
      await visitor.post("/auth/logout");
      expect(await where()).toBe("/auth");

      await follow();
      await sendCheckedForm(visitor, clock, "/auth", { email: user.email, password: TEST_PASSWORD });
      expect(visitor.cookies.has("nodebeat_session")).toBe(true);
      expect(await where()).toBe("/auth");
    }
  });

  test("resetting a password ends the session of another member who is signed in on that browser", async () => {
    await seedMember(api.deps, { email });
    await sendCheckedForm(createVisitor(pages), clock, "/auth/forgot-password", { email });
    const link = tokenOf(await createMailbox(api.deps).read(email));
    const { visitor, token } = await visitMember();
    await visitor.get(`/auth/reset-password?token=${link}`);
    await visitor.post("/auth/reset-password", { intent: "open" });
    const response = await visitor.post("/auth/reset-password", { password: "a new pass phrase" });
    expect(response.headers.get("Location")).toBe("/auth");
    expect(visitor.cookies.has("nodebeat_session")).toBe(false);
    expect((await api.call(readUser, { token })).status).toBe(401);
  });
});

async function readToken({ cookies }: Visitor) {
  const request = withCookie(`nodebeat_session=${cookies.get("nodebeat_session")}`);
  return (await createSessionCookie(undefined).read(request))?.accessToken ?? "";
}

const withCookie = (line: string) =>
  new Request("http://nodebeat.test/", { headers: { Cookie: line.split(";")[0] ?? "" } });

// specification: 3.16, 3.17, 4.6
test("the cookie of a password reset keeps its token, address, state, timestamp and wait", async () => {
  const context = new RouterContextProvider();
  context.set(originContext, "http://nodebeat.test");
  const { reset } = openPendingCookies(context);
  const states = ["NONE", "INITIAL", "FIRST_RESEND", "SECOND_RESEND", "MAX_ATTEMPTS"] as const;
  expect(PasswordResetState.options).toEqual(states);
  for (const state of states) {
    const waiting = { resetToken: "nbr_1", email, state, timestamp: 1_795_000_000_000, duration: 60_000 };
    expect(await reset.read(withCookie(await reset.commit(waiting)))).toEqual(waiting);
  }
});
