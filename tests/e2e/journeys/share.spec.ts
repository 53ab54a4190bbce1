import { forgetMember } from "../auth-steps.ts";
import { expect, test } from "../fixtures.ts";

test("a referral link can be shared as a QR code and as a message, and has its own preview picture", async ({
  page,
  app,
  login,
}) => {
  const { personalCode } = await login();
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "More ways to share" }).click();
  await expect(page).toHaveURL("/referrals#share");
  await expect(
    page.getByRole("img", { name: `QR code of your referral link, with the code ${personalCode}` }),
  ).toBeVisible();
  await expect(page.locator("#share img")).toHaveJSProperty("complete", true);
  await expect(page.locator("#share img")).not.toHaveJSProperty("naturalWidth", 0);
  const link = `${app.url}/auth/signup?referralCode=${personalCode}`;
  const telegram = page.getByRole("list", { name: "Share your link by" }).getByRole("link", { name: "Telegram" });
  const href = new URL((await telegram.getAttribute("href")) ?? "");
  expect(href.searchParams.get("url")).toBe(link);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "as PNG" }).click();
  expect((await download).suggestedFilename()).toBe(`nodebeat-${personalCode}.png`);

  await forgetMember(page);
  await page.goto(link);
  await expect(page).toHaveTitle("Create an account · Nodebeat");
  const picture = await page.locator('meta[property="og:image"]').getAttribute("content");
  expect(picture).toBe(`${app.url}/share/${personalCode}/preview.png`);
  const response = await page.request.get(picture ?? "");
  expect([response.status(), response.headers()["content-type"]]).toEqual([200, "image/png"]);
});
