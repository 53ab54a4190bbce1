import { expect, type Page } from "@playwright/test";
import type { RunningApp } from "../support/servers/start-app.ts";

/** Fills in a form by its labels, and waits for the page it leads to. */
export async function sendForm(page: Page, fields: Record<string, string>, button: string, title: string) {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
}

/** Types a code, and waits for the answer to it. */
export async function sendCode(page: Page, code: string) {
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Confirm" }).click();
  await answer;
}

/** Goes on as a browser that knows nobody. A page of its member is left first: it would leave by itself. */
export async function forgetMember(page: Page) {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/** Where the link of a mail leads on this site. */
export const pathOf = (link = "") => new URL(link).pathname + new URL(link).search;

/** All that a server has logged up to now. It writes in batches: what it has been asked last comes last. */
export async function readLog(app: RunningApp): Promise<string> {
  const path = `/nowhere/${crypto.randomUUID()}`;
  await fetch(app.url + path);
  await expect.poll(() => app.log()).toContain(path);
  return app.log();
}
