import { expect, test } from "../fixtures.ts";

test("an error stays beside its field while another field is edited", async ({ page, login }) => {
  await login();
  await page.goto("/profile");
  const about = page.getByRole("main").locator("#details");
  const website = about.getByLabel("Website");
  await website.fill("javascript:alert(1)");
  await about.getByRole("button", { name: "Save" }).click();
  await expect(website).toHaveAccessibleDescription(/Enter the address of a website/);

  await about.getByLabel("Username").pressSequentially("x");
  await expect(website).toHaveAccessibleDescription(/Enter the address of a website/);
  await expect(website).toHaveValue("javascript:alert(1)");
});

test("text typed into one form stays while another form is submitted", async ({ page, login }) => {
  await login();
  await page.goto("/profile");
  const main = page.getByRole("main");
  const mail = main.locator("#campaign-mail");
  await mail.getByLabel("Another address").fill("ada@example.org");
  await mail.getByRole("button", { name: "Send a code" }).click();
  await expect(mail.getByText("An email with a code is on its way.")).toBeVisible();

  await main.getByLabel("Full name").fill("Ada Lovelace");
  await mail.getByLabel("Code", { exact: true }).fill("123");
  await mail.getByLabel("Another address").fill("ada@example.net");
  await mail.getByRole("button", { name: "Turn off campaign emails" }).click();
  await expect(mail.getByText("Campaign emails are off.")).toBeVisible();
  await expect(main.getByLabel("Full name")).toHaveValue("Ada Lovelace");
  await expect(mail.getByLabel("Code", { exact: true })).toHaveValue("123");
  await expect(mail.getByLabel("Another address")).toHaveValue("ada@example.net");

  await main.locator("#details").getByRole("button", { name: "Save" }).click();
  await expect(main.getByText("Your details have been saved.")).toBeVisible();
  await expect(mail.getByLabel("Code", { exact: true })).toHaveValue("123");
});

test("shows the browser's validation error until the field is valid", async ({ page }) => {
  await page.goto("/auth");
  const email = page.getByLabel("Email");
  await email.fill("not an address");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(email).toHaveAccessibleDescription(/Enter a valid email/);
  await expect(email).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("ada@nodebeat.test");
  await expect(email).toHaveAccessibleDescription("");

  const password = page.getByLabel("Password", { exact: true });
  await password.fill("a pass phrase");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await expect(password).toHaveValue("a pass phrase");
});

test("a link that opens a new tab keeps what was typed", async ({ page, context }) => {
  await page.goto("/auth/signup");
  await page.getByLabel("Email").fill("ada@nodebeat.test");
  const opened = context.waitForEvent("page");
  await page.getByRole("main").getByRole("link", { name: "Terms of Service" }).click();
  await expect(await opened).toHaveURL("/terms");
  await expect(page.getByLabel("Email")).toHaveValue("ada@nodebeat.test");
});
