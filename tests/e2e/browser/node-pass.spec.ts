import type { Page } from "@playwright/test";
import { accountAt, deployStation, keyOf, hasAnvil, startAnvil, type Anvil } from "../../support/chain/anvil.ts";
import { deployNodePass } from "../../support/chain/node-pass.ts";
import { OTHER, OWNER, SIGNER } from "../../support/chain/pass-test.ts";
import { startApp, type RunningApp } from "../../support/servers/start-app.ts";
import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test } from "../fixtures.ts";

test.skip(!hasAnvil, "anvil is here for Linux on x64 alone");

let anvil: Anvil;
// Keeps the file in one worker, so it starts only one more server.
test.describe.configure({ mode: "default" });

let app: RunningApp;
let pass: Awaited<ReturnType<typeof deployNodePass>>;

test.beforeAll(async () => {
  anvil = await startAnvil();
  pass = await deployNodePass(anvil, { signer: SIGNER.address });
  app = await startApp({
    settings: {
      CHAIN_RPC_URLS: anvil.url,
      CHAIN_FACTORY_ADDRESS: await deployStation(anvil),
      CHAIN_ADMIN_KEY: keyOf(accountAt(1)),
      CHAIN_MANAGER_KEY: keyOf(accountAt(2)),
      NODE_PASS_ADDRESS: pass.address,
      NODE_PASS_SIGNER_KEY: keyOf(SIGNER),
    },
  });
});
test.afterAll(async () => {
  await app.close();
  await anvil.stop();
});

const card = (page: Page) => page.getByRole("region", { name: "Node pass", exact: true });
const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="teal"/></svg>')}`;

test("the profile shows the linked wallet's passes, their approved operators and if one can be minted", async ({
  page,
  context,
  browser,
}) => {
  const visit = async (wallet?: string) => {
    const { cookie } = await app.seed.member(wallet ? { wallet } : {});
    // An open page redirects by itself once it hears of another member.
    await page.goto("about:blank");
    await context.addCookies([{ ...cookie, url: app.url }]);
    await page.goto(`${app.url}/profile`);
    return cookie;
  };
  await visit();
  await expect(card(page)).toContainText("Link yours to see the passes in it.");

  const json = JSON.stringify({
    name: "Pass of the <b>first</b>",
    description: "For those of the start.",
    image: PICTURE,
  });
  await pass.issue(OWNER.address, 1n, `data:application/json,${encodeURIComponent(json)}`, "Founder");
  await pass.issue(OWNER.address, 2n);
  await pass.activate(OWNER, 1n);
  await pass.approve(OWNER, OTHER.address, 2n);
  await pass.approveAll(OWNER, SIGNER.address);
  const cookie = await visit(OWNER.address);
  const rows = card(page).getByRole("list", { name: "Your passes" }).locator("> li");
  const [first, second] = [rows.nth(0), rows.nth(1)];
  await expect(first).toContainText("Pass of the <b>first</b>#1ActivatedFounder");
  await expect(first.locator("img")).toHaveJSProperty("complete", true);
  await expect(second).toContainText("Pass #2Not activated");
  await expect(second).toContainText(`Somebody else may move this pass${OTHER.address}`);
  await expect(card(page)).toContainText("Somebody else may move all of your passes");
  await expect(card(page)).toContainText(SIGNER.address);
  await expect(card(page)).toContainText("Your wallet is not on the list for minting a pass.");
  await expectNoFindings(page);

  await pass.whitelist(OTHER.address);
  await visit(OTHER.address);
  await expect(card(page)).toContainText("Your wallet can mint a pass. You need your golden ticket to mint it.");
  const ticket = await card(page).getByLabel("Golden ticket").inputValue();
  expect(await pass.mint(OTHER, 3n, ticket as `0x${string}`)).toBe(true);
  await expectNoFindings(page);

  const plain = await browser.newContext({ javaScriptEnabled: false });
  await plain.addCookies([{ ...cookie, url: app.url }]);
  const still = await plain.newPage();
  await still.goto(`${app.url}/profile`);
  await expect(card(still)).toContainText("Pass #2");
  await expect(card(still).locator("img")).toBeVisible();
  await plain.close();
});
