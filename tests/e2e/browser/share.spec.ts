import { expect, test } from "../fixtures.ts";

type Shared = typeof globalThis & { shared?: ShareData };

test("opens the device's share menu, and stays usable if the member cancels", async ({ page, app, login }) => {
  const { personalCode } = await login();
  // Desktop browsers without a share menu lack this.
  await page.addInitScript(() => {
    navigator.share = (data) => {
      (globalThis as Shared).shared = data;
      return Promise.reject(new DOMException("Share canceled", "AbortError"));
    };
  });
  await page.goto("/referrals");
  await page.getByRole("button", { name: "More…" }).click();
  expect(await page.evaluate(() => (globalThis as Shared).shared)).toEqual({
    title: "Nodebeat",
    text: "Join me on Nodebeat and start with 1.000 extra points.",
    url: `${app.url}/auth/signup?referralCode=${personalCode}`,
  });
  await expect(page.getByRole("button", { name: "More…" })).toBeVisible();
});
