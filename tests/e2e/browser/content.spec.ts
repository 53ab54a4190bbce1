import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

const CID = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const member = { fullName: "Ana Bell", avatarUrl: `ipfs://${CID}/me.png` };

// The browser logs the gateway that answers with an error, the one that does not answer, and what the page's policy
// blocks.
test.use({ expectedConsole: [/Failed to load resource|dweb\.link\.example\.org.*violates/] });

/** Lets only the given gateways answer. Returns the hosts that were requested, in order. */
async function serveGateways(page: Page, working: string[]) {
  const asked: string[] = [];
  await page.route(/^https:/, async (route) => {
    const { host } = new URL(route.request().url());
    asked.push(host);
    if (working.includes(host)) await route.fulfill({ contentType: "image/png", body: DOT });
    else if (host === "dweb.link") await route.fulfill({ status: 504 });
    else await route.abort();
  });
  return asked;
}

const picture = (page: Page) => page.getByRole("complementary", { name: "Sidebar" }).locator("img");

test("a picture falls back to the first gateway that has it, at the same size", async ({ page, login }) => {
  const asked = await serveGateways(page, ["w3s.link", "gateway.pinata.cloud"]);
  await login(member);
  await page.goto("/dashboard");

  await expect(picture(page)).toHaveAttribute("src", `https://w3s.link/ipfs/${CID}/me.png`);
  await expect(picture(page)).toHaveJSProperty("naturalWidth", 1);
  expect(asked).toEqual(["ipfs.io", "dweb.link", "w3s.link"]);
  await expect(page.getByText("AB", { exact: true })).toHaveCount(0);
  expect(await picture(page).boundingBox()).toMatchObject({ width: 30, height: 30 });
});

test("shows initials if no gateway has the picture", async ({ page, login }) => {
  const asked = await serveGateways(page, []);
  await login(member);
  await page.goto("/dashboard");

  await expect(picture(page)).toHaveCount(0);
  await expect(page.getByText("AB", { exact: true })).toBeVisible();
  expect(asked).toEqual(["ipfs.io", "dweb.link", "w3s.link", "4everland.io", "gateway.pinata.cloud"]);
});

test("the content security policy allows pictures from gateway subdomains, and from no other host", async ({
  page,
}) => {
  await page.route(/^https:/, (route) => route.fulfill({ contentType: "image/png", body: DOT }));
  await page.goto("/faqs");
  const loads = (src: string) =>
    page.evaluate(async (address) => {
      const refused = new Promise((resolve) => addEventListener("securitypolicyviolation", () => resolve("refused")));
      const image = new Image();
      const loaded = new Promise((resolve) => image.addEventListener("load", () => resolve("loaded")));
      image.src = address;
      return Promise.race([loaded, refused]);
    }, src);

  expect(await loads("https://bafybeigdyrzt5sfp7.ipfs.dweb.link/me.png")).toBe("loaded");
  expect(await loads("https://dweb.link.example.org/me.png")).toBe("refused");
});
