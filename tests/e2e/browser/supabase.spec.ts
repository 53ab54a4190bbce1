import { startApp, type RunningApp } from "../../support/servers/start-app.ts";
import { startSupabase } from "../../support/supabase/start-supabase.ts";
import { forgetMember } from "../auth-steps.ts";
import { expect, test } from "../fixtures.ts";

let supabase: Awaited<ReturnType<typeof startSupabase>>;
let app: RunningApp;

test.beforeAll(async () => {
  supabase = await startSupabase(() => new Date());
  app = await startApp({ settings: { SUPABASE_URL: supabase.url, SUPABASE_ANON_KEY: supabase.anonKey } });
});
test.afterAll(async () => {
  await app.close();
  await supabase.close();
});

// specification: 4.8
test("with Supabase, mailed links confirm an account and reset a password, and other tabs follow", async ({
  page,
  context,
}) => {
  // Only the server talks to Supabase: a browser has neither its address nor its key.
  const hosts = new Set<string>();
  context.on("request", (request) => hosts.add(new URL(request.url()).origin));
  const email = `${crypto.randomUUID()}@nodebeat.test`;
  const document = await page.goto(`${app.url}/auth/signup`);
  expect(document?.headers()["content-security-policy"]).toContain("connect-src 'self';");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a pass phrase of mine");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(`${app.url}/auth/verify`);

  const confirmation = await supabase.mailTo(email);
  await page.goto(`${app.url}/auth/verify?code=${confirmation.tokenHash}`);
  const other = await context.newPage();
  await other.goto(`${app.url}/auth`);
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page).toHaveURL(`${app.url}/dashboard`);
  await expect(other, "hears of the sign-in").toHaveURL(`${app.url}/dashboard`);

  // As if the last email had been sent a while ago.
  supabase.allowMail(email);
  await forgetMember(page);
  await page.goto(`${app.url}/auth/forgot-password`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  const recovery = await supabase.mailTo(email, 2);
  await other.goto(`${app.url}/auth/reset-password?token=${recovery.tokenHash}`);
  await other.getByRole("button", { name: "Choose a new password" }).click();
  await expect(page.getByText("The link was opened in another tab.")).toBeVisible();
  await other.getByLabel("New password", { exact: true }).fill("another pass phrase");
  await other.getByRole("button", { name: "Save password" }).click();
  await expect(other.getByText("Your password has been changed.")).toBeVisible();
  expect(Array.from(hosts)).toEqual([app.url]);
});
