import { startApp, type RunningApp } from "../../support/start-app.ts";
import { startSupabase } from "../../support/supabase/start-supabase.ts";
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

test("with Supabase for a provider, the links of its mails lead to an account and to a new password", async ({
  page,
}) => {
  // The server alone speaks to Supabase: a browser has neither its address nor its key.
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  const email = `${crypto.randomUUID()}@nodebeat.test`;
  const document = await page.goto(`${app.url}/auth/signup`);
  expect(document?.headers()["content-security-policy"]).toContain("connect-src 'self';");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a pass phrase of mine");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(`${app.url}/auth/verify`);

  const confirmation = await supabase.mailTo(email);
  await page.goto(`${app.url}/auth/verify?code=${confirmation.tokenHash}`);
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page).toHaveURL(`${app.url}/dashboard`);

  // As if the last mail had been a while ago.
  supabase.allowMail(email);
  await page.context().clearCookies();
  await page.goto(`${app.url}/auth/forgot-password`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("heading", { name: "Look into your mail" })).toBeVisible();
  const recovery = await supabase.mailTo(email, 2);
  await page.goto(`${app.url}/auth/reset-password?token=${recovery.tokenHash}`);
  await page.getByRole("button", { name: "Choose a new password" }).click();
  await page.getByLabel("New password", { exact: true }).fill("another pass phrase");
  await page.getByRole("button", { name: "Save the password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  expect(Array.from(hosts)).toEqual([app.url]);
});
