import type { Page } from "@playwright/test";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { wrongCode } from "../../support/api/wrong-code.ts";
import { expect, test } from "../fixtures.ts";
import { forgetMember, pathOf, readLog } from "../auth-steps.ts";

const PASSWORD = "a pass phrase of mine";

const newAddress = () => `${crypto.randomUUID()}@nodebeat.test`;
const passwordField = (page: Page) => page.getByLabel("Password", { exact: true });

async function sendSignUp(page: Page, email: string) {
  await page.getByLabel("Email").fill(email);
  await passwordField(page).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL("/auth/verify");
}

/** Begins a sign-up, up to its code. Returns its address. */
async function beginSignUp(page: Page) {
  const email = newAddress();
  await page.goto("/auth/signup");
  await sendSignUp(page, email);
  return email;
}

/** Begins a sign-up, and also returns the email with the code. */
async function startSignUp(page: Page, app: RunningApp) {
  const email = await beginSignUp(page);
  return { email, mail: await app.seed.mail(email) };
}

async function sendCode(page: Page, code: string) {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Confirm" }).click();
}

// specification: 1.5
test("a friend's link leads through sign-up to the dashboard, with the points for joining", async ({ page, app }) => {
  const friend = await app.seed.member({});
  const email = newAddress();

  await page.goto("/auth");
  await page.getByRole("link", { name: "Create an account" }).click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  await page.goto(`/auth/signup?referralCode=${friend.personalCode}`);
  await expect(page.getByLabel("Referral code")).toHaveValue(friend.personalCode);
  await sendSignUp(page, email);

  await expect(page.getByText(email)).toBeVisible();
  const { code = "" } = await app.seed.mail(email);
  await sendCode(page, `${code.slice(0, 3)} ${code.slice(3)}`);

  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByText("Joined with a friend's link")).toBeVisible();
  await expect(page.getByText("1.000").first()).toBeVisible();
});

test("the mailed link confirms the email in another browser, and its token is in no page and no log", async ({
  page,
  context,
  app,
}) => {
  const { mail } = await startSignUp(page, app);
  await context.clearCookies();
  const token = new URL(mail.link ?? "").searchParams.get("code") ?? "";

  await page.goto(pathOf(mail.link));
  await expect(page).toHaveURL("/auth/verify");
  expect(await page.content()).not.toContain(token);
  await page.getByRole("button", { name: "Confirm my email" }).click();

  await expect(page).toHaveURL("/dashboard");
  expect(await readLog(app)).not.toContain(token);
});

test("a used link says so, and leads to sign-in", async ({ page, app }) => {
  const { mail } = await startSignUp(page, app);
  await sendCode(page, mail.code ?? "");
  await expect(page).toHaveURL("/dashboard");
  await forgetMember(page);

  await page.goto(pathOf(mail.link));
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page.getByRole("heading", { name: "Your email is already confirmed" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/auth");
});

test("an unknown link shows as expired, and leads to sign-up", async ({ page }) => {
  await page.goto("/auth/verify?code=nbv_unknown");
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page.getByRole("heading", { name: "This sign-up has expired" })).toBeVisible();
  await page.getByRole("link", { name: "Sign up again" }).click();
  await expect(page).toHaveURL("/auth/signup");
});

test("a wrong code shows an error beside its field; too many lead to a page that says what to do", async ({
  page,
  app,
}) => {
  const { mail } = await startSignUp(page, app);
  const field = page.getByLabel("Code", { exact: true });
  for (const told of ["4 attempts", "3 attempts", "2 attempts", "1 attempt", "the last attempt"]) {
    await sendCode(page, wrongCode(mail.code));
    await expect(field).toHaveAccessibleDescription(new RegExp(`That code is not right.*${told}`));
  }
  await sendCode(page, mail.code ?? "");
  await expect(page.getByRole("heading", { name: "Too many attempts" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send another email" })).toBeVisible();
});

test("shows an error beside its field, and keeps what was typed except the password", async ({ page }) => {
  const email = newAddress();
  await page.goto("/auth/signup");
  await page.getByLabel("Email").fill(email);
  await passwordField(page).fill("password1");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(passwordField(page)).toHaveAccessibleDescription(/too easy to guess/);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(passwordField(page)).toHaveValue("");
});

test("an invalid referral code in the link is reported, and does not block signing up", async ({ page }) => {
  await page.goto("/auth/signup?referralCode=abc");
  await expect(page.getByRole("main").getByText("Invalid referral code")).toBeVisible();
  await sendSignUp(page, newAddress());
});

test("the button for another email waits a minute, even after a reload, and so does the server", async ({
  page,
  javaScriptEnabled,
}) => {
  // Does not wait for the email, because the server must be asked again within a minute.
  const email = await beginSignUp(page);
  const again = page.getByRole("button", { name: "Send another email" });
  if (javaScriptEnabled) {
    await expect(again).toBeDisabled();
    await expect(again).toHaveAccessibleDescription(/^You can ask again in (1:00|0:\d\d)\.$/);
    await page.clock.install();
    await page.reload();
    await expect(again).toBeDisabled();
    await page.clock.runFor(61_000);
    await expect(again).toBeEnabled();
    await expect(again).toHaveAccessibleDescription("You can ask for another email now.");
    await expect(page.getByRole("status").filter({ hasText: "You can ask for another email now." })).toHaveCount(1);
  } else {
    await expect(again).toHaveAccessibleDescription(/^You can ask again from \d+ \w+ \d+, \d\d:\d\d UTC ?\.$/);
  }
  // The reader's clock may be wrong; the server's counts.
  await again.click();
  const refusal = page.getByRole("alert").filter({ hasText: "Please wait" });
  await expect(refusal).toContainText("You can try again at");
  await expect(refusal).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();
});

test("the wait ends in time if the browser's clock is an hour slow, and is then set back", async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "Without a script nothing is counted.");
  const hour = 60 * 60 * 1000;
  await page.clock.install({ time: Date.now() - hour });
  await beginSignUp(page);
  const again = page.getByRole("button", { name: "Send another email" });
  await expect(again).toBeDisabled();
  await expect(again).toHaveAccessibleDescription(/^You can ask again in (1:00|0:\d\d)\.$/);
  // From here on time passes only when the test says so, however busy the machine is.
  await page.clock.pauseAt(Date.now() - hour + 10_000);
  await page.clock.runFor(5000);
  await expect(again).toBeDisabled();
  await page.clock.setSystemTime(Date.now() - 24 * hour);
  await page.clock.runFor(46_000);
  await expect(again).toBeEnabled();
});

test("a visitor can sign up with the keyboard alone", async ({ page, app }) => {
  const email = newAddress();
  await page.goto("/auth/signup");
  await page.getByLabel("Email").focus();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await expect(passwordField(page)).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/auth/verify");

  await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
  await page.keyboard.type((await app.seed.mail(email)).code ?? "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");
});

test("shows how strong a password is while it is typed", async ({ page, javaScriptEnabled }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", (route) => released.then(() => route.continue()));
  await page.goto("/auth/signup", { waitUntil: "commit" });
  await expect(passwordField(page)).toHaveAccessibleDescription(/At least 8 characters\. 15 or more/);
  test.skip(!javaScriptEnabled, "Without a script there is the sentence alone.");

  const strength = page.getByRole("status").filter({ hasText: /Too short|Good enough|Strong/ });
  await passwordField(page).fill("typed before there is a script");
  release();
  await expect(strength).toHaveText("Strong");
  for (const [typed, said] of [
    ["short", ["Too short"]],
    ["long enough", ["Good enough"]],
    ["correct horse battery", ["Strong"]],
    ["", []],
  ] as const) {
    await passwordField(page).fill(typed);
    await expect(strength).toHaveText([...said]);
  }
});
