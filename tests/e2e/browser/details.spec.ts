import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";

test("what is wrong with one detail stays beside it while another is typed", async ({ page, login }) => {
  await login();
  await page.goto("/profile");
  await hydrated(page);
  const about = page.getByRole("main").locator("#details");
  const website = about.getByLabel("Website");
  await website.fill("javascript:alert(1)");
  await about.getByRole("button", { name: "Save" }).click();
  await expect(website).toHaveAccessibleDescription(/Enter the address of a website/);

  await about.getByLabel("Username").pressSequentially("x");
  await expect(website).toHaveAccessibleDescription(/Enter the address of a website/);
  await expect(website).toHaveValue("javascript:alert(1)");
});
