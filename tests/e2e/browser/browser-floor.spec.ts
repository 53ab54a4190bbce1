import { expect, test } from "../fixtures.ts";

// Runs before the page's own scripts, as in a browser that never had these features.
const WITHOUT = {
  "an array's toSorted": () => Reflect.deleteProperty(Array.prototype, "toSorted"),
  popovers: () => Reflect.deleteProperty(HTMLElement.prototype, "popover"),
  checkVisibility: () => Reflect.deleteProperty(Element.prototype, "checkVisibility"),
  "newer colours": () => (CSS.supports = (...asked: string[]) => !asked.join(" ").includes("oklch")),
};

const TOLD =
  "Your browser is too old for some features: points do not update by themselves, and you cannot connect a wallet. Use Chrome 120, Edge 120, Firefox 128, Safari 17.4 or a newer version.";

for (const [what, takeAway] of Object.entries(WITHOUT))
  test(`a browser without ${what} shows that it is too old`, async ({ page }) => {
    await page.addInitScript(takeAway);
    await page.goto("/auth", { waitUntil: "load" });
    await expect(page.getByRole("alert")).toHaveText(TOLD);
  });

test("an old browser works without scripts; a supported one shows no warning", async ({ page, app }) => {
  await page.goto("/auth");
  await expect(page.getByText("Your browser is too old")).toBeHidden();

  await page.addInitScript(WITHOUT.popovers);
  const { email, password } = await app.seed.member({});
  await page.goto("/auth", { waitUntil: "networkidle" });
  await expect(page.getByRole("alert")).toHaveText(TOLD);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await Promise.all([
    page.waitForRequest((request) => request.isNavigationRequest() && request.method() === "POST"),
    page.getByRole("button", { name: "Sign in" }).click(),
  ]);
  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByRole("button", { name: "Apply" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Commands" })).toBeHidden();
});
