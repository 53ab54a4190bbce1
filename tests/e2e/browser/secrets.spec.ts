import type { Page } from "@playwright/test";
import { findSecrets } from "../../support/find-secrets.ts";
import { startRecordingProxy, type Recorded } from "../../support/servers/recording-proxy.ts";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { expect, test } from "../fixtures.ts";
import { pathOf, readLog } from "../auth-steps.ts";

/** Matches all our credentials, of any kind. */
const CREDENTIAL = /nb[a-z]_[\w-]{43}/g;

const passwords = () => ({
  wrong: `wrong ${crypto.randomUUID()}`,
  first: `first ${crypto.randomUUID()}`,
  second: `second ${crypto.randomUUID()}`,
  third: `third ${crypto.randomUUID()}`,
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

async function send(page: Page, fields: Record<string, string>, button: string) {
  for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/**
 * Goes from a visitor to a member who has used everything that takes or creates a credential. Returns the emails with
 * codes and links.
 */
async function liveThrough(page: Page, app: RunningApp, origin: string, secret: ReturnType<typeof passwords>) {
  const email = `${crypto.randomUUID()}@nodebeat.test`;
  const mails = [];
  await page.goto(`${origin}/auth/signup`);
  await send(page, { Email: email, Password: "password1" }, "Create account");
  await expect(field(page, "Password")).toHaveAccessibleDescription(/too easy to guess/);
  await send(page, { Email: email, Password: secret.first }, "Create account");
  await expect(page).toHaveURL(`${origin}/auth/verify`);
  const signUp = await app.seed.mail(email);
  mails.push(signUp);
  await send(page, { Code: signUp.code === "123456" ? "654321" : "123456" }, "Confirm");
  await expect(field(page, "Code")).toHaveAccessibleDescription(/not right/);
  await page.goto(origin + pathOf(signUp.link));
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page).toHaveURL(`${origin}/dashboard`);
  await page.getByRole("dialog", { name: "Updated Privacy Policy" }).getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.goto(`${origin}/profile`);
  await send(page, { "Current password": secret.wrong, "New password": secret.second }, "Change password");
  await expect(page.getByText("That is not your current password.")).toBeVisible();
  await send(page, { "Current password": secret.first, "New password": secret.second }, "Change password");
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  const other = `${crypto.randomUUID()}@example.org`;
  await send(page, { "Another address": other }, "Send a code");
  await expect(page.getByText("An email with a code is on its way.")).toBeVisible();
  const campaign = await app.seed.mail(other);
  mails.push(campaign);
  await send(page, { Code: campaign.code ?? "" }, "Confirm address");
  await expect(page.getByText("Your address for campaign emails is confirmed.")).toBeVisible();

  await page.goto(`${origin}/auth/logout`);
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(`${origin}/auth`);
  await send(page, { Email: email, Password: secret.wrong }, "Sign in");
  await expect(page.getByText("That email and password do not match.")).toBeVisible();
  await page.goto(`${origin}/auth/forgot-password`);
  await send(page, { Email: email }, "Send the link");
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  const reset = await app.seed.mail(email, 3);
  mails.push(reset);
  await page.goto(origin + pathOf(reset.link));
  await page.getByRole("button", { name: "Choose a new password" }).click();
  await send(page, { "New password": secret.third }, "Save password");
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await send(page, { Email: email, Password: secret.third }, "Sign in");
  await expect(page).toHaveURL(`${origin}/dashboard`);
  return mails;
}

const findIn = (text: string, secrets: string[]) => [...findSecrets(text, secrets), ...(text.match(CREDENTIAL) ?? [])];

/** People open the links from emails, so these addresses must contain a token. */
const isMailedLink = ({ target }: Recorded) => /^GET \/auth\/(verify\?code|reset-password\?token)=/.test(target);

test("no working credential appears in a page, its data, a URL, the log or the database", async ({ page, app }) => {
  const planted = `nbs_${"a".repeat(43)}`;
  expect(findIn(`x=${planted}&y`, [])).toEqual([planted]);

  const proxy = await startRecordingProxy(app.url);
  const secret = passwords();
  const mails = await liveThrough(page, app, proxy.url, secret);
  // So that the page sends no more requests.
  await page.goto("about:blank");
  await proxy.close();

  const tokens = mails.flatMap(({ link = "" }) => link.match(CREDENTIAL) ?? []);
  const codes = mails.flatMap(({ code = [] }) => code);
  const cookies = (await page.context().cookies()).filter(({ httpOnly }) => httpOnly).map(({ value }) => value);
  expect([tokens.length, codes.length]).toEqual([2, 2]);
  expect(cookies.length).toBeGreaterThan(1);
  const secrets = [...Object.values(secret), ...tokens, ...codes, ...cookies];

  expect(proxy.recorded.some(({ answer }) => answer.includes("Confirm your email"))).toBe(true);

  const addresses = proxy.recorded.filter((each) => !isMailedLink(each)).map(({ target }) => target);
  const found = {
    answers: proxy.recorded.flatMap(({ target, answer }) => findIn(answer, secrets).map((each) => [target, each])),
    addresses: addresses.flatMap((address) => findIn(address, secrets)),
    log: findIn(await readLog(app), secrets),
    database: findIn(await app.seed.dump(), secrets),
  };
  expect(found).toEqual({ answers: [], addresses: [], log: [], database: [] });
});
