import { expect, test } from "../fixtures.ts";

const STEPS = [
  { card: /^Points, last 7 days/, link: "How to earn points", to: "/faqs" },
  { card: "Points log", link: "How to earn points", to: "/faqs" },
  { card: "Content points", link: "See what nodes gather", to: "/agentinsights" },
];

test("each empty card of a new member's dashboard offers the next step", async ({ page, login }) => {
  await login();
  for (const { card, link, to } of STEPS) {
    await page.goto("/dashboard");
    await page.getByRole("region", { name: card }).last().getByRole("link", { name: link }).click();
    await expect(page).toHaveURL(to);
  }
});

test("a filter without results can be cleared from the empty table", async ({ page, app, login }) => {
  const member = await login();
  await app.seed.post(member.userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  await page.goto("/dashboard?category=Referral");
  await expect(page.getByText("No points from Referral yet")).toBeVisible();

  await page.getByRole("main").getByRole("link", { name: "Clear filters" }).filter({ visible: true }).click();
  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByRole("cell", { name: "Follow us on X" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Category" })).toHaveValue("");
});
