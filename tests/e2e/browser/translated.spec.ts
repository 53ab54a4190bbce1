import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { connected } from "../live-steps.ts";

/**
 * Makes the page behave from now on as if a browser translated it, including later content. The words stay the same, so
 * that tests find them.
 */
const translate = (page: Page) => page.evaluate(wrapTexts);

/** Replaces every text by two elements, as browsers do, and does so again when a text changes. */
function wrapTexts() {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is passed to the page
  function wrap(node: Node) {
    if (!(node instanceof Text)) return Array.from(node.childNodes).forEach(wrap);
    const around = node.parentElement;
    if (!node.data.trim() || !around || around.closest("font,script,style,svg,textarea,[translate=no]")) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.append(node.data);
    outer.append(inner);
    node.replaceWith(outer);
  }
  wrap(document.body);
  const watch = { childList: true, characterData: true, subtree: true };
  new MutationObserver((changes) => {
    for (const { addedNodes, target } of changes)
      [...addedNodes, target].filter((node) => node.isConnected).forEach(wrap);
  }).observe(document.body, watch);
}

test("on a translated page, a form's error disappears on the next input", async ({ page }) => {
  await page.goto("/auth");
  await translate(page);
  await page.getByLabel("Email").fill("ada@nodebeat.test");
  await page.getByLabel("Password", { exact: true }).fill("a pass phrase of mine");
  // As a bot fills it in.
  await page.locator("[name=name__confirm]").evaluate((field: HTMLInputElement) => (field.value = "x"));
  await page.getByRole("button", { name: "Sign in" }).click();
  const why = page.getByRole("alert").filter({ hasText: "The bot check did not pass." });
  await expect(why).toBeVisible();

  await page.getByLabel("Password", { exact: true }).pressSequentially("another one");
  await expect(why).toHaveCount(0);
  await expect(page.getByLabel("Email")).toHaveValue("ada@nodebeat.test");
});

test("on a translated page, the help search filters the answers, and shows all when it is cleared", async ({
  page,
}) => {
  await page.goto("/faqs");
  await translate(page);
  const search = page.getByLabel("Search the answers");
  const answer = page.getByText("You can link a wallet once and change it once");
  for (const text of ["wallet", "wallet change", "change", ""]) {
    await search.fill(text);
    await expect(page.locator("mark").first()).toHaveCount(text ? 1 : 0);
    if (text) await expect(answer).toBeVisible();
  }
  await expect(page.getByText("When does a day begin in the charts?", { exact: true })).toBeVisible();
});

test("on a translated page, steps and figures update live", async ({ page, app, login }) => {
  const { userId } = await login();
  await Promise.all([connected(page), page.goto("/dashboard")]);
  await translate(page);
  const steps = page.getByRole("region", { name: "Get started" });
  await expect(steps).toContainText("0 of 4 done");
  await app.seed.beat(userId, [new Date().toISOString()]);
  await expect(steps).toContainText("2 of 4 done");
  await expect(steps.getByRole("heading", { name: "Done: Send the first heartbeat" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Machine ID Requirements" })).toContainText("1/100");

  const days = Array.from({ length: 11 }, (_, daysAgo) => daysAgo);
  await app.seed.post(
    userId,
    days.map((daysAgo) => ({ category: "Rewards" as const, points: 10, comment: `Day ${daysAgo}`, daysAgo })),
  );
  const pages = page.getByRole("navigation", { name: "Pages of the points log" });
  await expect(pages).toContainText("1–10 of 12");
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(pages).toContainText("11–12 of 12");
});

test("on a translated page, the start command stays untranslated, even after the first heartbeat", async ({
  page,
  app,
  login,
}) => {
  await login();
  await Promise.all([connected(page), page.goto("/agentinsights")]);
  await page.getByRole("button", { name: "Create a key and show the command" }).click();
  const start = page.getByRole("region", { name: "Start your node" });
  await expect(start).toContainText("Waiting for the first heartbeat.");
  await translate(page);
  const command = start.locator("figure code").first();
  const [, key = ""] = /^NODEBEAT_KEY=(\S+) /.exec((await command.textContent()) ?? "") ?? [];
  await expect(command.locator("font")).toHaveCount(0);

  const response = await fetch(`${app.url}/api/heartbeats`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ beats: [{ timestamp: new Date().toISOString() }] }),
  });
  expect(response.status).toBe(200);
  await expect(start).toContainText("We hear your node.");
  await expect(command).toBeVisible();
});
