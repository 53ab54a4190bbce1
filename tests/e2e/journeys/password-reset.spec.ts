import type { Page } from "@playwright/test";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { expect, test } from "../fixtures.ts";
import { pathOf, readLog } from "../auth-steps.ts";

const PASSWORD = "a new pass phrase";

const mailed = (page: Page) => page.getByRole("heading", { name: "Check your email" });

async function askForLink(page: Page, email: string) {
  await page.goto("/auth/forgot-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(mailed(page)).toBeVisible();
}

async function receiveLink(page: Page, app: RunningApp, email: string) {
  await askForLink(page, email);
  return pathOf((await app.seed.mail(email)).link);
}

async function choosePassword(page: Page) {
  await page.getByRole("button", { name: "Choose a new password" }).click();
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Save password" }).click();
}

test("a member resets a forgotten password by email, and signs in with the new one", async ({ page, app }) => {
  const member = await app.seed.member({});
  await page.goto("/auth");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { name: "Forgot password" })).toBeVisible();
  const link = await receiveLink(page, app, member.email);
  const token = link.split("token=")[1] ?? "";

  await page.goto(link);
  await expect(page).toHaveURL("/auth/reset-password");
  expect(await page.content()).not.toContain(token);
  await choosePassword(page);

  await expect(page).toHaveURL("/auth");
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/dashboard");
  expect(await readLog(app)).not.toContain(token);
});

test("shows the same message for an address without an account", async ({ page }) => {
  const nobody = `${crypto.randomUUID()}@nodebeat.test`;
  await askForLink(page, nobody);
  await expect(page.getByText(`If there is an account for ${nobody}, an email is on its way.`)).toBeVisible();
  await page.getByRole("link", { name: "Use another address" }).click();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("");
});

test("no other email can be sent for a while, even after a reload", async ({ page, app, javaScriptEnabled }) => {
  const { email } = await app.seed.member({});
  await askForLink(page, email);
  await page.reload();
  const again = page.getByRole("button", { name: "Send another email" });
  if (javaScriptEnabled) {
    await expect(again).toBeDisabled();
    let posts = 0;
    page.on("request", (request) => (posts += Number(request.method() === "POST")));
    await again.focus();
    await page.keyboard.press("Enter");
    // A form would be sent before the response to this request.
    await page.evaluate(() => fetch("/healthz", { method: "HEAD" }));
    await expect(again).toBeFocused();
    expect(posts).toBe(0);
  } else {
    await again.click();
    await expect(page.getByRole("alert").filter({ hasText: "Please wait" })).toContainText("You can try again at");
  }
});

test("a used link says so, and offers a new one", async ({ page, app }) => {
  const { email } = await app.seed.member({});
  const link = await receiveLink(page, app, email);
  await page.goto(link);
  await choosePassword(page);
  await expect(page).toHaveURL("/auth");

  await page.goto(link);
  await page.getByRole("button", { name: "Choose a new password" }).click();
  await expect(page.getByRole("heading", { name: "This link has already been used" })).toBeVisible();
  await page.getByRole("link", { name: "Ask for a new link" }).click();
  await expect(page.getByRole("button", { name: "Send the link" })).toBeVisible();
});

test("a signed-in member can use a reset link, and opening it does not sign them out", async ({
  page,
  app,
  context,
  javaScriptEnabled,
}) => {
  const { email, userId, cookie } = await app.seed.member({});
  const link = await receiveLink(page, app, email);
  await context.addCookies([{ ...cookie, url: app.url }]);
  await page.goto("/faqs");
  const rememberedUser = () => page.evaluate(() => localStorage.getItem("user"));
  if (javaScriptEnabled) await expect.poll(rememberedUser).toBe(JSON.stringify({ id: userId }));

  await page.goto(link);
  await expect(page.getByRole("button", { name: "Choose a new password" })).toBeVisible();
  if (javaScriptEnabled) expect(await rememberedUser()).toBe(JSON.stringify({ id: userId }));

  await choosePassword(page);
  await expect(page).toHaveURL("/auth");
});
