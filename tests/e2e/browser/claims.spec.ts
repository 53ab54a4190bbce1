import { expect, test } from "../fixtures.ts";

// specification: 8.14
test("a claim counts at once, and is taken back when it is refused", async ({ page, app, login }) => {
  const { userId } = await login();
  const ready = await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await page.goto("/referrals");
  const button = page.getByRole("button", { name: `Claim 1.000 points for ${ready}` });
  const status = page.getByRole("row").filter({ hasText: ready });

  const held = Promise.withResolvers<void>();
  await page.route("**/referrals.data*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await held.promise;
    return route.continue({ postData: "intent=claim&id=00000000-0000-7000-8000-000000000000" });
  });
  await button.click();
  await expect(status).toContainText("Success");
  await expect(button).toHaveCount(0);

  held.resolve();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText("There is no such referral.");
  await expect(status).toContainText("Claimable");
  await expect(button).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "There is no such referral." })).toBeVisible();
});
