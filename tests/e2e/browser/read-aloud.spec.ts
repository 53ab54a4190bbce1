import type { Page } from "@playwright/test";
import { installWallet } from "../../support/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { visit } from "../visit.ts";
import { connect, dialog, press } from "../wallet-steps.ts";

/* What somebody meets who hears a page, and does not see it: by the tree that browsers make for what reads it out. */

/** What a page says later, politely, and what of that is not there for who listens before it says anything. */
const findUnheard = (page: Page) =>
  page.evaluate(() => {
    const polite = Array.from(document.querySelectorAll("output, [role=status], [aria-live=polite]"));
    const unheard = polite.filter((each) => getComputedStyle(each).display === "none");
    return { count: polite.length, unheard: unheard.map(({ outerHTML }) => outerHTML) };
  });

test("what is read out once it comes has its place in the page before", async ({ page, login }) => {
  const look = async (path: string) => {
    await visit(page, path);
    await hydrated(page);
    const { count, unheard } = await findUnheard(page);
    expect(unheard, path).toEqual([]);
    expect(count, path).toBeGreaterThan(2);
  };
  for (const path of ["/auth", "/auth/signup", "/auth/forgot-password"]) await look(path);
  await login();
  for (const path of ["/dashboard", "/rewards", "/referrals", "/profile", "/profile/email", "/profile/delete"])
    await look(path);
});

test("the steps of a signature are read out in a place that is there before", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await login();
  await visit(page, "/profile");
  await connect(page);
  await expect(dialog(page).getByRole("button", { name: "Sign and link" })).toBeVisible();
  const place = await dialog(page).getByRole("status").elementHandle();
  expect(await place?.textContent()).toBe("");
  wallet.answers["personal_sign"] = "hang";
  await press(page, "Sign and link");
  await expect(dialog(page).getByRole("status")).toContainText("Sign in your wallet");
  expect(await place?.textContent()).toContain("Sign in your wallet");
});
