import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

/* A newcomer's journey, up to the first heartbeat of a node that was started by the very command on the page. */

/** How long a newcomer may take, in milliseconds. */
const WALK_LIMIT = 3 * 60 * 1000;

test("a new member signs up, runs the copied command, and sees their first heartbeat", async ({
  page,
  app,
  javaScriptEnabled,
}) => {
  test.setTimeout(WALK_LIMIT);
  const email = `${crypto.randomUUID()}@nodebeat.test`;
  await page.goto("/auth/signup");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a pass phrase of mine");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByLabel("Code", { exact: true }).fill((await app.seed.mail(email)).code ?? "");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  const steps = page.getByRole("region", { name: "Get started" });
  await expect(steps).toContainText("0 of 4 done");

  // Steps done in another tab are ticked in this one.
  const other = await page.context().newPage();
  await other.goto("/dashboard");
  await other.getByRole("link", { name: "Create a key", exact: true }).click();
  await other.getByRole("button", { name: "Create a key and show the command" }).click();
  const start = other.getByRole("region", { name: "Start your node" });
  await expect(start).toContainText("Waiting for the first heartbeat.");
  const stop = await runCommand(await copyCommand(other, javaScriptEnabled ?? true));

  try {
    if (javaScriptEnabled) await expect(start).toContainText("We hear your node.");
    else await expectHeard(other);
    if (!javaScriptEnabled) await page.reload();
    await expect(steps).toContainText("2 of 4 done");
    await expect(steps.getByRole("heading", { name: "Done: Send the first heartbeat" })).toBeVisible();
    await expect(page.getByText("last one just now")).toBeVisible();
  } finally {
    await stop();
  }
});

test("the list of first steps stays hidden once it is hidden", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  const steps = page.getByRole("region", { name: "Get started" });
  await steps.getByRole("button", { name: "Hide" }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Points log" })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

async function copyCommand(page: Page, hasScript: boolean): Promise<string> {
  const command = page.getByRole("figure", { name: "macOS and Linux" });
  const shown = await command.getByRole("code").innerText();
  if (!hasScript) return shown;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await command.getByRole("button", { name: "Copy command" }).click();
  await expect(command.getByRole("button", { name: "Copied!" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  return shown;
}

/** Runs the command in a shell, with an empty home folder. Returns a function that stops it. */
async function runCommand(command: string): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), "nodebeat-home-"));
  const { PATH = "" } = process.env;
  const shell = spawn("sh", ["-c", command], {
    cwd: home,
    detached: true,
    stdio: "inherit",
    env: { PATH, HOME: home, npm_config_update_notifier: "false" },
  });
  const closed = once(shell, "close");
  return async () => {
    // Stops the shell, npx and the node.
    if (shell.pid && shell.exitCode === null) process.kill(-shell.pid, "SIGTERM");
    await closed;
    await rm(home, { recursive: true, force: true });
  };
}

/** Without scripts, a link checks again. */
async function expectHeard(page: Page) {
  await page.getByRole("link", { name: "Check whether it has arrived" }).click();
  const machine = page.getByRole("listitem").filter({ hasText: "My machine" });
  await expect(async () => {
    await page.reload();
    expect(await machine.allTextContents()).toEqual([expect.stringContaining("last heartbeat")]);
  }).toPass();
}
