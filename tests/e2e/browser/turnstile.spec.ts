import type { Page } from "@playwright/test";
import { startApp, type RunningApp } from "../../support/servers/start-app.ts";
import { startTurnstile } from "../../support/servers/turnstile-stand-in.ts";
import { expect, test } from "../fixtures.ts";

const SECRET = "1x0000000000000000000000000000000AA";
let cloudflare: Awaited<ReturnType<typeof startTurnstile>>;
// Keeps the file in one worker, so it starts only one more server.
test.describe.configure({ mode: "default" });

let guarded: RunningApp;

test.beforeAll(async () => {
  cloudflare = await startTurnstile(SECRET);
  guarded = await startApp({
    turnstileVerifyUrl: cloudflare.verifyUrl,
    settings: { TURNSTILE_SITE_KEY: "site-key", TURNSTILE_SECRET_KEY: SECRET },
  });
});
test.afterAll(async () => {
  await guarded.close();
  await cloudflare.close();
});

/** Stands in for Cloudflare's script: its widget takes every visitor for a person, and creates its own tokens. */
async function serveWidget(page: Page) {
  await page.route("https://challenges.cloudflare.com/**", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: `let made = 0; window.turnstile = {
        render(container, options) {
          const field = document.createElement("input");
          field.type = "hidden";
          field.name = options["response-field-name"];
          field.value = "human-" + options.sitekey + "-" + (made += 1) + "-" + crypto.randomUUID();
          container.replaceChildren(field);
          container.dataset.theme = options.theme;
          return String(made);
        },
        remove() {},
      };`,
    }),
  );
}

const token = (page: Page) => page.locator('input[name="turnstileToken"]');

test("a member signs in with Turnstile, with a new token for each attempt", async ({ page }) => {
  await serveWidget(page);
  const member = await guarded.seed.member({});
  const before = cloudflare.asked.length;
  await page.goto(`${guarded.url}/auth`);
  await expect(token(page)).toHaveValue(/^human-site-key-/);
  const first = await token(page).inputValue();

  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("That email and password do not match.")).toBeVisible();
  await expect(token(page)).not.toHaveValue(first);

  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${guarded.url}/dashboard`);
  const asked = cloudflare.asked.slice(before).map(({ response }) => response);
  expect(asked).toEqual([first, expect.stringMatching(/^human-site-key-/)]);
});

test.describe("blocked", () => {
  test.use({ expectedConsole: [/Failed to load resource: net::ERR_FAILED/] });

  test("reports a bot check that cannot be loaded, until it can", async ({ page }) => {
    await page.route("https://challenges.cloudflare.com/**", (route) => route.abort());
    await page.goto(`${guarded.url}/auth`);
    const missing = page.getByRole("alert").filter({ hasText: "could not be loaded" });
    await expect(missing).toBeVisible();
    await serveWidget(page);
    await page.getByRole("button", { name: "Use the dark theme" }).click();
    await expect(token(page)).toHaveValue(/^human-site-key-/);
    await expect(missing).toHaveCount(0);
  });
});

test.describe("if the bot check's code fails to load", () => {
  test.use({ expectedConsole: [/net::ERR_FAILED|Failed to fetch dynamically imported module/] });

  test("the page keeps working, and says what to do", async ({ page }) => {
    await page.route("**/turnstile.island*", (route) => route.abort());
    await page.goto(`${guarded.url}/auth`);
    await expect(page.getByRole("alert").filter({ hasText: "Please reload the page." })).toBeVisible();
    await expect(page.getByLabel("Email")).toBeVisible();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the form says that its check needs JavaScript, and is rejected without a token", async ({ page }) => {
    await page.goto(`${guarded.url}/auth`);
    await expect(page.getByText("This form is protected by a check that needs JavaScript.")).toBeVisible();
    await page.getByLabel("Email").fill("ana@example.org");
    await page.getByLabel("Password", { exact: true }).fill("a pass phrase");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("The bot check did not pass. Please try again.")).toBeVisible();
  });
});
