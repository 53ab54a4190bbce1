import type { RunningApp } from "../../support/servers/start-app.ts";
import { expect, test } from "../fixtures.ts";
import { connected } from "../live-steps.ts";

/** Puts a member on the whitelist, or takes them off it, as an administrator does. */
async function setWhitelisted(app: RunningApp, email: string, whitelisted: boolean) {
  const { token, userId } = await app.seed.member({});
  await app.seed.administrator(userId);
  const response = await fetch(`${app.url}/api/admin/whitelist`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ emails: [email], whitelisted, reason: "Tests the network" }),
  });
  expect(await response.json()).toMatchObject({ changed: 1 });
}

// specification: 6.6
test("a whitelist change updates the network label and the terms dialog on an open page", async ({
  page,
  app,
  login,
}) => {
  const { email } = await login({ accepted: ["pp"] });
  // A page does not hear of changes before its event stream is open.
  await Promise.all([connected(page), page.goto("/profile")]);
  const terms = page.getByRole("dialog", { name: "Updated Terms of Service" });
  await expect(page.getByText("BETA", { exact: true })).toBeVisible();
  await expect(terms).toHaveCount(0);
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));

  await setWhitelisted(app, email, true);
  await expect(terms).toBeVisible();
  await expect(page.getByText("TESTNET", { exact: true })).toBeVisible();

  await setWhitelisted(app, email, false);
  await expect(terms).toHaveCount(0);
  await expect(page.getByText("BETA", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
});
