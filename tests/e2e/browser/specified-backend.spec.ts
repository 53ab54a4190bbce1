import type { Page } from "@playwright/test";
import type { Member } from "../../support/specified-backend/members.ts";
import { startSpecifiedBackend } from "../../support/specified-backend/start.ts";
import { startApp, type RunningApp } from "../../support/servers/start-app.ts";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { sendForm } from "../auth-steps.ts";
import { expect, test as base } from "../fixtures.ts";
import { visit } from "../visit.ts";
import { connect, dialog, header, press, short, toast, walletCard } from "../wallet-steps.ts";

/* Tests the product in front of a backend that has only the calls of the specification. */

let backend: Awaited<ReturnType<typeof startSpecifiedBackend>>;
let app: RunningApp;
/** Undefined before the first test, when Playwright reads it, too. */
let baseURL: string | undefined;

const test = base.extend<{ failures: void }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from the pattern
  baseURL: ({}, use) => use(baseURL),
  /** Fails a test in which the server responded with a status of 500 or above. */
  failures: [
    async ({ context }, use) => {
      const failed: string[] = [];
      context.on("response", (response) => {
        if (response.status() >= 500) failed.push(`${response.status()} ${response.url()}`);
      });
      await use();
      expect(failed).toEqual([]);
    },
    { auto: true },
  ],
});

// Keeps the file in one worker, so it starts only one more server.
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  backend = await startSpecifiedBackend();
  app = await startApp({ settings: backend.settings });
  baseURL = app.url;
});
test.afterAll(async () => {
  await app.close();
  await backend.close();
});

const NOT_HERE = "This is not available here.";

async function signIn(page: Page, { email, password }: Member) {
  await page.goto("/auth");
  await sendForm(page, { Email: email, Password: password }, "Sign in", "Dashboard");
}

const acceptDocument = async (page: Page, name: string) => {
  await page.getByRole("dialog", { name }).getByRole("checkbox").check();
  await page.getByRole("dialog", { name }).getByRole("button", { name: "Continue" }).click();
};

test("a friend signs up and opens every page, where parts that the backend lacks show as unavailable", async ({
  page,
}) => {
  const inviter = backend.add({});
  const email = `${crypto.randomUUID()}@members.test`;
  await page.goto(`/auth/signup?referralCode=${inviter.personalCode}`);
  const account = { Email: email, Password: "a pass phrase of mine" };
  await sendForm(page, account, "Create account", "Confirm your email");
  await sendForm(page, { Code: backend.codeFor(email) }, "Confirm", "Dashboard");
  await acceptDocument(page, "Updated Privacy Policy");
  await expect(toast(page, "Privacy Policy accepted successfully")).toBeVisible();
  await expect(header(page)).toContainText(/1\.000\s*PTS/);
  expect(backend.friendsOf(inviter)).toMatchObject([{ email, isOnboarded: true, acceptedPrivacy: true }]);

  const missing = { "/dashboard": 1, "/agentinsights": 3, "/rewards": 1, "/referrals": 0, "/profile": 4, "/faqs": 0 };
  for (const [path, cards] of Object.entries(missing)) {
    await visit(page, path);
    await expect(page.getByText(NOT_HERE), path).toHaveCount(cards);
    await expect(page.getByText("Could not be loaded"), path).toHaveCount(0);
  }
  await visit(page, "/terms");
  await visit(page, "/privacy/1", "Privacy Policy");

  // Missing calls that were found out once are not tried again with the next page.
  const before = backend.asked.length;
  await visit(page, "/profile");
  expect(backend.asked.slice(before).filter((call) => /sessions|devices|campaign$|uptime|timeline/.test(call))).toEqual(
    [],
  );
  await page.getByLabel("Full name").fill("Ana");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert").filter({ hasText: NOT_HERE })).toBeVisible();
});

test("a whitelisted member accepts the terms, and claims a reward and the points for a friend", async ({ page }) => {
  const member = backend.add({ isWhitelisted: true, acceptedPrivacy: true });
  const active = backend.add({ invitedBy: member, heartbeats: 100, wallet: "0x1" });
  const idle = backend.add({ invitedBy: member });
  await page.goto("/auth");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("The email or the password is wrong.")).toBeVisible();
  await signIn(page, member);
  await acceptDocument(page, "Updated Terms of Service");
  await expect(toast(page, "Terms of Service accepted successfully")).toBeVisible();
  await expect(page.getByText("TESTNET")).toBeVisible();

  await page.goto("/rewards");
  await page.getByRole("button", { name: /Claim .*Say hello/ }).click();
  await expect(page.getByRole("main")).toContainText("You claimed 150 points for “Say hello”.");
  await page.goto("/referrals?status=Claimable");
  await expect(page.getByRole("row").filter({ hasText: active.email })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: idle.email })).toHaveCount(0);
  await page.getByRole("button", { name: `Claim 1.000 points for ${active.email}` }).click();
  await expect(header(page)).toContainText(/1\.150\s*PTS/);
  expect([...member.claimed]).toEqual(["welcome", active.id]);

  await page.goto("/auth/logout");
  await page.getByRole("main").getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a member links a wallet, changes it, and creates a Smart Account and a Machine ID with it", async ({
  page,
  context,
}) => {
  const wallet = await installWallet(context);
  const [first, second] = wallet.accounts;
  const member = backend.add({ heartbeats: 100, acceptedPrivacy: true });
  await signIn(page, member);
  await page.goto("/profile");
  await connect(page);
  await press(page, "Sign and link");
  await expect(toast(page, "Wallet linked successfully!")).toBeVisible();
  expect(member.wallet).toBe(first.address);

  await wallet.choose(second);
  await walletCard(page).getByRole("button", { name: "Change wallet" }).click();
  await press(page, "Sign and change");
  await expect(toast(page, "Wallet changed successfully!")).toBeVisible();
  await expect(walletCard(page)).toContainText("The wallet was changed already.");
  expect(member.wallet).toBe(second.address);

  await header(page).getByRole("link", { name: "Create Smart Account" }).click();
  await press(page, "Create Smart Account");
  await expect(toast(page, "Smart Account creation queued")).toBeVisible();
  backend.settle();
  await expect(toast(page, "Smart Account created! You can now create a Machine ID.")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);

  await header(page).getByRole("link", { name: "Create Machine ID" }).click();
  await press(page, "Create Machine ID");
  await expect(toast(page, "Machine ID creation initiated")).toBeVisible();
  backend.settle();
  await expect(toast(page, "Machine ID has been created successfully!")).toBeVisible();
  await expect(header(page)).toContainText(short(member.account?.address ?? "no account"));
  expect(wallet.count("eth_signTypedData_v4")).toBe(2);
});
