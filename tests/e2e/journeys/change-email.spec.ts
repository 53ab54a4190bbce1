import { forgetMember } from "../auth-steps.ts";
import { wrongCode } from "../../support/api/wrong-code.ts";
import { expect, test } from "../fixtures.ts";

test("a member confirms a new email with a code, and signs in with it", async ({ page, app, login }) => {
  const { email: former, password } = await login();
  const email = `new-${former}`;
  await page.goto("/profile");
  await page.getByRole("link", { name: "Change email" }).click();
  await expect(page).toHaveURL("/profile/email");
  await page.getByLabel("New email", { exact: true }).fill(email);
  await page.getByLabel("Your password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Send a code" }).click();
  await expect(page.getByLabel("Your password", { exact: true })).toHaveAccessibleDescription(
    "That is not your password.",
  );
  await expect(page.getByLabel("New email", { exact: true })).toHaveValue(email);
  await page.getByLabel("Your password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Send a code" }).click();

  const confirming = page.getByRole("region", { name: "Confirm your new email" });
  await expect(confirming).toContainText(`We sent a 6-digit code to ${email}.`);
  const { code = "" } = await app.seed.mail(email);
  await confirming.getByLabel("Code", { exact: true }).fill(wrongCode(code));
  await confirming.getByRole("button", { name: "Change email" }).click();
  await expect(confirming.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(
    "That code is not right. 4 attempts left.",
  );
  await confirming.getByLabel("Code", { exact: true }).fill(code);
  await confirming.getByRole("button", { name: "Change email" }).click();

  await expect(page).toHaveURL("/profile#password");
  const card = page.getByRole("region", { name: "Email and password" });
  await expect(card).toContainText("You sign in with your new email from now on.");
  await expect(card).toContainText(`You sign in as ${email}.`);
  expect((await app.seed.mail(former)).subject).toBe("You now sign in with another address");

  await forgetMember(page);
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/dashboard");
});
