import { expect, test } from "../fixtures.ts";

test("points rise on an open dashboard when the node beats", async ({ page, app, login }) => {
  const member = await login();
  await page.goto("/dashboard");
  const header = page.getByRole("banner");
  await expect(header).toContainText(/\D0\s*PTS/);

  const response = await fetch(`${app.url}/api/heartbeats`, {
    method: "POST",
    headers: { Authorization: `Bearer ${member.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ beats: [{ timestamp: new Date().toISOString() }] }),
  });
  expect(response.status).toBe(200);

  await expect(header).toContainText(/\D25\s*PTS/, { timeout: 15_000 });
  await expect(page.getByRole("row", { name: /Connectivity.*Heartbeat.*\+25/ })).toBeVisible();
});

test("going back to a page whose data is fresh asks the server for nothing", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "30 days" }).click();
  await expect(page.getByRole("heading", { name: "Points, last 30 days" })).toBeVisible();

  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Points, last 7 days" })).toBeVisible();

  expect(asked.filter((url) => /points-history|dashboard\.data/.test(url))).toEqual([]);
});

test("the access token never reaches a script", async ({ page, login }) => {
  const member = await login();
  await page.goto("/dashboard");

  const visible = await page.evaluate(() => [
    document.cookie,
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
  ]);
  const html = await page.content();
  for (const text of [...visible, html]) expect(text).not.toContain(member.token);
});

test("a session that ended elsewhere leads to sign-in, not round in circles", async ({ page, app, login }) => {
  const member = await login();
  await page.goto("/dashboard");
  await fetch(`${app.url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${member.token}` } });

  await page.reload();
  await expect(page).toHaveURL(/\/auth(\?|$)/);
});
