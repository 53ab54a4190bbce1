import { expect, type Page } from "@playwright/test";
import type { RunningApp } from "../support/servers/start-app.ts";

/** Fills in a form by its labels, submits it, and waits for the page it leads to. */
export async function sendForm(page: Page, fields: Record<string, string>, button: string, title: string) {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
}

/** Types a code, and waits for the response. */
export async function sendCode(page: Page, code: string) {
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Confirm" }).click();
  await answer;
}

/**
 * Continues as a browser without a session. Leaves the member's page first, because it would otherwise redirect by
 * itself.
 */
export async function forgetMember(page: Page) {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/** Returns where the link of an email leads on this site. */
export const pathOf = (link = "") => new URL(link).pathname + new URL(link).search;

/**
 * Returns everything that a server has logged so far. It writes in batches, so this waits for the line of a last
 * request.
 */
export async function readLog(app: RunningApp): Promise<string> {
  const path = `/nowhere/${crypto.randomUUID()}`;
  await fetch(app.url + path);
  await expect.poll(() => app.log()).toContain(path);
  return app.log();
}
