import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePages,
  findAction,
  findField,
  readDescription,
  readText,
} from "../../tests/support/pages/test-pages.ts";
import { issueBotCheck, login } from "../../server/auth/contract.ts";
import { logout } from "../../server/sessions/contract.ts";
import { readUser } from "../../server/profile/contract.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  /** Opens the sign-in page and spends as much time on it as a person does. */
  async function fillSignIn(visitor = createVisitor(pages), path = "/auth") {
    const page = await (await visitor.get(path)).text();
    clock.advance(2000);
    const turnstileToken = findField(page, "turnstileToken")?.value ?? "";
    const form = { email: "", password: TEST_PASSWORD, turnstileToken, name__confirm: "" };
    const submit = (changes: Partial<typeof form>) =>
      visitor.post(findAction(page, "turnstileToken"), { ...form, ...changes });
    return { visitor, form, submit };
  }

  // specification: 2.1
  test("the root path redirects visitors and members to /auth", async () => {
    for (const visitor of [createVisitor(pages), (await visitMember()).visitor]) {
      const response = await visitor.get("/");
      expect([response.status, response.headers.get("Location")]).toEqual([302, "/auth"]);
    }
  });

  // specification: 2.2, 2.3, 4.1
  test.each(["/auth", "/auth/signup", "/auth/signup?referralCode=abc", "/auth/verify", "/auth/forgot-password"])(
    "%s opens for visitors and redirects members to the dashboard",
    async (path) => {
      expect((await createVisitor(pages).get(path)).status).toBe(200);
      const { visitor } = await visitMember();
      const response = await visitor.get(path);
      expect([response.status, response.headers.get("Location")]).toEqual([302, "/dashboard"]);
    },
  );

  test("the sign-in form supports autofill, and the Tab key skips the decoy field", async () => {
    const html = await (await createVisitor(pages).get("/auth")).text();
    expect(findField(html, "email")).toMatchObject({ type: "email", autoComplete: "username" });
    expect(findField(html, "password")).toMatchObject({ autoComplete: "current-password" });
    expect(html).toMatch(/<button type="button" aria-pressed="false" class="reveal.*?>Show password<\/span>/);
    expect(html).toMatch(/<input id="name__confirm" autoComplete="off" tabindex="-1"/i);
  });

  // specification: 2.4
  test("the log-out page opens for visitors and members", async () => {
    for (const visitor of [createVisitor(pages), (await visitMember()).visitor]) {
      const response = await visitor.get("/auth/logout");
      expect(response.status).toBe(200);
      expect(readText(await response.text())).toContain("Are you sure you want to log out?");
    }
  });

  // specification: 2.8, 2.11, 2.14, 2.16, 2.18, 6.2
  test.each([
    ["/dashboard", "/dashboard"],
    ["/dashboard?range=30", "/dashboard?range=30"],
    ["/agentinsights", "/agentinsights"],
    ["/rewards?unsubscribe=1", "/rewards?unsubscribe=1"],
    ["/referrals", "/referrals"],
    ["/profile", "/profile"],
    ["/.well-known/change-password", "/profile#password"],
  ])("%s redirects a visitor to sign-in, and signing in redirects to %s", async (path, wanted) => {
    const visitor = createVisitor(pages);
    const redirect = await visitor.get(path);
    const signIn = redirect.headers.get("Location") ?? "";
    expect(redirect.status).toBe(302);
    expect(signIn.split("?")[0]).toBe("/auth");

    const { user } = await seedMember(api.deps);
    const { submit } = await fillSignIn(visitor, signIn);
    const response = await submit({ email: user.email });
    expect([response.status, response.headers.get("Location")]).toEqual([303, wanted]);
  });

  test.each([
    "https://evil.test/",
    "//evil.test/",
    "/\\evil.test/",
    "/\t/evil.test",
    "\\\\evil.test",
    "javascript:alert(1)",
    "evil.test",
    "",
    "/.//evil.test/phish",
    "/..//evil.test/phish",
    "/a/..//evil.test/phish",
    "/.%2e//evil.test/phish",
    "/.\\/evil.test/phish",
    "/./\\evil.test/phish",
  ])("signing in never redirects to another site: %j", async (redirectTo) => {
    const { user } = await seedMember(api.deps);
    const { submit } = await fillSignIn(undefined, `/auth?${new URLSearchParams({ redirectTo })}`);
    const response = await submit({ email: user.email });
    expect(response.status).toBe(303);
    const location = new URL(response.headers.get("Location") ?? "", "http://nodebeat.test");
    expect(location.origin).toBe("http://nodebeat.test");
  });

  // specification: 4.2, 4.3, 4.4, 4.8
  test("signing in starts a session and redirects to the dashboard", async () => {
    const { user } = await seedMember(api.deps);
    const { visitor, submit } = await fillSignIn();

    const response = await submit({ email: user.email });

    expect([response.status, response.headers.get("Location")]).toEqual([303, "/dashboard"]);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^nodebeat_session=.*; HttpOnly; SameSite=Lax$/),
      ...["signup", "verify_link", "reset", "reset_link", "recovery"].map((name) =>
        expect.stringMatching(new RegExp(`^nodebeat_${name}=; Max-Age=0; Path=/; HttpOnly`)),
      ),
      expect.stringMatching(/^nodebeat_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/),
      expect.stringMatching(/^event_auth_\w+=SIGNED_IN; Path=\/; SameSite=Lax; Max-Age=60$/),
    ]);
    expect((await visitor.get("/dashboard")).status).toBe(200);
  });

  test("shows a wrong password at its field, and keeps the email but not the password", async () => {
    const { user } = await seedMember(api.deps);
    const { submit } = await fillSignIn();

    const response = await submit({ email: user.email, password: "not the password" });

    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()).toEqual([]);
    const html = await response.text();
    expect(html).not.toContain("not the password");
    expect(findField(html, "email")?.value).toBe(user.email);
    expect(findField(html, "password")).toMatchObject({ "aria-invalid": "true" });
    expect(readDescription(html, "password")).toMatch(/^That email and password do not match\./);
  });

  test("the form of a refused sign-in has a fresh bot check token and can be sent again", async () => {
    const { user } = await seedMember(api.deps);
    const { form, submit } = await fillSignIn();
    const refused = await (await submit({ email: user.email, password: "not the password" })).text();
    const turnstileToken = findField(refused, "turnstileToken")?.value ?? "";
    expect(turnstileToken).not.toBe(form.turnstileToken);

    clock.advance(2000);
    const response = await submit({ email: user.email, turnstileToken });
    expect(response.status).toBe(303);
  });

  test("rejects an invalid email and an invalid password without sending them to the API", async () => {
    const { submit } = await fillSignIn();
    pages.calls.length = 0;
    const response = await submit({ email: "ana", password: "short" });

    expect(response.status).toBe(400);
    const html = await response.text();
    expect(readDescription(html, "email")).toBe("Enter a valid email.");
    expect(readDescription(html, "password")).toBe("Use at least 8 characters.");
    expect(pages.calls).not.toContain("POST /api/login");
  });

  test.each([
    ["no token", { turnstileToken: "" }, 400],
    ["a forged token", { turnstileToken: "a.b.c" }, 422],
    ["a filled decoy", { name__confirm: "Robot" }, 422],
  ])("rejects a robot: %s", async (_, mistake, status) => {
    const { user } = await seedMember(api.deps);
    const { submit } = await fillSignIn();
    const response = await submit({ email: user.email, ...mistake });
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(readText(await response.text())).toContain("The bot check did not pass.");
  });

  test("rejects a request body that is not a form", async () => {
    const visitor = createVisitor(pages);
    for (const type of ["application/json", "multipart/form-data", "text/plain"]) {
      const headers = { "Content-Type": type };
      const response = await visitor.send("/auth?index", { method: "POST", body: "{}", headers });
      expect(response.status).toBe(400);
    }
  });

  test("rejects a form without the decoy field", async () => {
    const { user } = await seedMember(api.deps);
    const { visitor, form } = await fillSignIn();
    const { name__confirm: _, ...rest } = form;
    expect((await visitor.post("/auth?index", { ...rest, email: user.email })).status).toBe(422);
  });

  test("if signing in does not work, the page says so and keeps the email", async () => {
    const { visitor, submit } = await fillSignIn();
    pages.override(login, () => Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 }));
    const busy = await submit({ email: "ana@example.org" });
    expect(busy.status).toBe(503);
    expect(findField(await busy.text(), "email")?.value).toBe("ana@example.org");

    pages.override("everything", () => Response.error());
    const down = await visitor.get("/auth");
    expect(down.status).toBe(503);
    expect(readText(await down.text())).toContain("Signing in does not work right now. Please try again in a moment.");
  });

  test("says when to try again after too many attempts", async () => {
    const { submit } = await fillSignIn();
    const headers = { "Retry-After": "90" };
    pages.override(login, () =>
      Response.json({ message: "Too many attempts.", error: "TOO_MANY_ATTEMPTS" }, { status: 429, headers }),
    );
    const response = await submit({ email: "ana@example.org" });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "90"]);
    const text = readText(await response.text());
    expect(text).toMatch(/Too many attempts\. You can try again at \d+ \w+ \d+, \d\d:\d\d UTC/);
  });

  test("reports a rejected API key as an outage, not as the member's mistake", async () => {
    const { submit } = await fillSignIn();
    pages.override(login, () => Response.json({ message: "Key", error: "INVALID_API_KEY" }, { status: 401 }));
    const response = await submit({ email: "ana@example.org" });
    expect(response.status).toBe(503);
    expect(pages.log.error).toHaveBeenCalled();
  });

  test("a login response without a token starts no session", async () => {
    const { submit } = await fillSignIn();
    pages.override(login, () => Response.json({ hello: "there" }));
    const response = await submit({ email: "ana@example.org" });
    expect(response.status).toBe(503);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  // specification: 2.43, 2.44
  test("logging out ends the session on the server and in the browser", async () => {
    const { visitor, token } = await visitMember();

    const response = await visitor.post("/auth/logout");

    expect([response.status, response.headers.get("Location")]).toEqual([302, "/auth"]);
    expect(visitor.cookies.has("nodebeat_session")).toBe(false);
    expect((await api.call(readUser, { token })).status).toBe(401);
    expect((await visitor.get("/auth")).status).toBe(200);
  });

  test("logs out even if the API cannot be reached", async () => {
    const { visitor } = await visitMember();
    pages.override(logout, () => Response.error());
    expect((await visitor.post("/auth/logout")).headers.get("Location")).toBe("/auth");
    expect(Array.from(visitor.cookies)).toEqual([
      [expect.stringMatching(/^note_toast_/), "logged-out"],
      [expect.stringMatching(/^event_auth_/), "SIGNED_OUT"],
    ]);
    expect(pages.log.error).toHaveBeenCalledWith(expect.anything(), "The session could not be revoked");
  });

  test("logging out without a session does not call the API", async () => {
    expect((await createVisitor(pages).post("/auth/logout")).headers.get("Location")).toBe("/auth");
    expect(pages.calls).toEqual([]);
  });

  // specification: 2.5, 2.6, 5.4, 9.3
  test.each([
    ["K7QX2", "You were invited with the code K7QX2"],
    ["K7QX", "Invalid referral code"],
    ["K7QX22", "Invalid referral code"],
    ["", "Invalid referral code"],
  ])("an invitation with the code %j: %s", async (code, told) => {
    const response = await createVisitor(pages).get(`/auth/signup?referralCode=${code}`);
    expect(response.status).toBe(200);
    expect(readText(await response.text())).toContain(told);
  });

  test.each(["/auth/signup", "/auth/verify", "/auth/forgot-password"])("%s links to sign-in", async (path) => {
    expect(await (await createVisitor(pages).get(path)).text()).toMatch(/<a [^>]*href="\/auth"/);
  });

  test("each sign-in page has its own bot check token", async () => {
    const [first, second] = [await fillSignIn(), await fillSignIn()];
    expect(first.form.turnstileToken).toMatch(/./);
    expect(first.form.turnstileToken).not.toBe(second.form.turnstileToken);
    expect(pages.calls).toEqual([`GET ${issueBotCheck.path}`, `GET ${issueBotCheck.path}`]);
  });
});
