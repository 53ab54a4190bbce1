import { expect, test } from "../fixtures.ts";

test("accepts a member's social accounts and website in any common format", async ({ page, login }) => {
  await login();
  await page.goto("/profile");
  const about = page.getByRole("region", { name: "About you", exact: true });
  await about.getByLabel("Full name").fill("Ada Lovelace");
  await about.getByLabel("Telegram").fill("https://t.me/ada_tg");
  await about.getByLabel("X", { exact: true }).fill("@ada_x");
  await about.getByLabel("Website").fill("ada.example");
  await about.getByRole("button", { name: "Save" }).click();

  await expect(about.getByText("Your details have been saved.")).toBeVisible();
  await expect(about.getByLabel("Full name")).toHaveValue("Ada Lovelace");
  await expect(about.getByLabel("Telegram")).toHaveValue("ada_tg");
  await expect(about.getByLabel("X", { exact: true })).toHaveValue("ada_x");
  await expect(about.getByLabel("Website")).toHaveValue("https://ada.example/");
});

test("shows errors beside invalid fields, and keeps everything that was typed", async ({ page, login }) => {
  await login();
  await page.goto("/profile");
  const about = page.getByRole("region", { name: "About you", exact: true });
  await about.getByLabel("Username").fill("ada");
  await about.getByLabel("Website").fill("javascript:alert(1)");
  await about.getByLabel("Picture").fill("http://ada.example/a.png");
  await about.getByRole("button", { name: "Save" }).click();

  await expect(about.getByLabel("Website")).toHaveAccessibleDescription(
    "Enter the address of a website, such as https://example.org.",
  );
  await expect(about.getByLabel("Picture")).toHaveAccessibleDescription(/Enter an ipfs link/);
  await expect(about.getByLabel("Username")).toHaveValue("ada");
  await expect(about.getByLabel("Website")).toHaveValue("javascript:alert(1)");
  await page.goto("/profile");
  await expect(about.getByLabel("Username")).toHaveValue("");
});

test("a new machine key is shown once, works, and can be revoked", async ({ page, app, login }) => {
  await login();
  await page.goto("/profile");
  const machines = page.getByRole("region", { name: "Your machines", exact: true });
  await machines.getByLabel("Name of the machine").fill("Attic");
  await machines.getByRole("button", { name: "Create a key" }).click();
  const key = await machines.getByLabel("New key").inputValue();
  expect(key).toMatch(/^nbd_[\w-]{43}$/);
  await expect(machines.getByRole("listitem").filter({ hasText: "key created" })).toContainText("Attic");
  const beat = () =>
    fetch(`${app.url}/api/heartbeats`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ beats: [{ timestamp: new Date().toISOString() }] }),
    });
  expect((await beat()).status).toBe(200);

  await page.goto("/profile");
  await expect(machines.getByLabel("New key")).toHaveCount(0);
  expect(await page.content()).not.toContain(key);
  const revoke = machines.getByRole("button", { name: "Revoke key of Attic" });
  await expect(revoke).toBeHidden();
  await machines.getByText("Revoke the key of Attic").click();
  await revoke.click();
  await expect(machines.getByText("The key of that machine is revoked.")).toBeVisible();
  await expect(machines.getByRole("listitem")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Security activity", exact: true })).toContainText(
    "Machine key revoked",
  );
  expect((await beat()).status).toBe(401);
});

test("a member turns emails about a silent node on and off again", async ({ page, login }) => {
  await login();
  await page.goto("/profile");
  const machines = page.getByRole("region", { name: "Your machines", exact: true });
  const hours = machines.getByRole("combobox", { name: "Email me when my node goes silent" });
  await expect(hours).toHaveValue("");
  await hours.selectOption("After 3 hours");
  await machines.getByLabel("Email me again when it is back").check();
  await machines.getByRole("button", { name: "Save" }).click();
  await expect(machines.getByText("You will get an email when your node has been silent for that long.")).toBeVisible();
  await expect(hours).toHaveValue("3");
  await expect(machines.getByLabel("Email me again when it is back")).toBeChecked();

  await hours.selectOption("Never");
  await machines.getByRole("button", { name: "Save" }).click();
  await expect(machines.getByText("You will get no emails about your node.")).toBeVisible();
  await page.reload();
  await expect(hours).toHaveValue("");
});
