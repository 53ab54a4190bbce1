import { expect, test } from "../fixtures.ts";

const campaign = {
  id: crypto.randomUUID(),
  name: "Follow us on X",
  type: "social",
  formUrl: "https://nodebeat.example/follow",
  bonusPoints: 250.5,
  mandatory: true,
  buttonText: "Follow",
  taskNumber: 1,
};

// specification: 4.53
test("lists each campaign with its next step, and a completed one can be claimed once", async ({
  page,
  app,
  login,
}) => {
  const { userId } = await login();
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  await app.seed.campaigns(userId, [
    { ...campaign, id: second, name: `Guide ${second}`, mandatory: false, buttonText: null, taskNumber: 2 },
    { ...campaign, id: first, name: `Follow ${first}`, taskNumber: 1, completed: true },
  ]);
  await page.goto("/rewards");
  const items = page.getByRole("region", { name: "Rewards", exact: true }).getByRole("listitem");
  const mine = items.filter({ hasText: first });
  const open = items.filter({ hasText: second });
  await expect(mine).toContainText("Required");
  await expect(mine).toContainText("+250,5");
  await expect(open).toContainText("Optional");
  await expect(open.getByRole("link")).toHaveAttribute("href", "https://nodebeat.example/follow");
  await expect(open.getByRole("link")).toHaveText("Open form");

  await mine.getByRole("button", { name: `Claim 250,5 points for Follow ${first}` }).click();
  const said = page.getByRole("main").getByRole("status").filter({ hasText: "You claimed" });
  await expect(said).toHaveText(`You claimed 250,5 points for “Follow ${first}”.`);
  const claimed = page.getByRole("group").filter({ hasText: first });
  await claimed.getByText("Claimed (1)").click();
  await expect(mine).toContainText("Claimed");
  await expect(mine.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("banner")).toContainText("250,5");
});

// specification: 4.53
test("the heartbeat reward shows its progress, and can be claimed at 100 heartbeats", async ({
  page,
  app,
  login,
  javaScriptEnabled,
}) => {
  const { userId } = await login();
  const id = crypto.randomUUID();
  await app.seed.campaigns(userId, [{ ...campaign, id, name: `Stay up ${id}`, type: "uptime" }]);
  await app.seed.beat(userId, [new Date().toISOString()]);
  await page.goto("/rewards");
  const card = page.getByRole("region", { name: "Earn 100 heartbeats" });
  await expect(card).toContainText("1 of 100");
  await expect(card).toContainText("You can claim this reward after 99 more heartbeats.");

  const hours = Array.from({ length: 99 }, (_, index) => new Date(Date.now() - (index + 1) * 3_600_000).toISOString());
  await app.seed.beat(userId, hours);
  await page.reload();
  // The page is shown before the browser has read the uptime.
  const uptime = page.getByRole("main").getByRole("listitem").filter({ hasText: id });
  if (javaScriptEnabled) await expect(uptime).toContainText(/Required · \d+ % uptime since the first heartbeat/);
  await card.getByRole("button", { name: /^Claim .+ points for your heartbeats$/ }).click();
  const said = page.getByRole("main").getByRole("status").filter({ hasText: "You claimed" });
  await expect(said).toHaveText(/^You claimed .+ points for your heartbeats\.$/);
  await expect(card).toContainText("Claimed");
});
