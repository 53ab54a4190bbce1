import { expect, test } from "../fixtures.ts";

const CID = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

test("loads a member's picture from the first IPFS gateway", async ({ page, login }) => {
  await page.route("https://ipfs.io/**", (route) => route.fulfill({ contentType: "image/png", body: DOT }));
  await login({ fullName: "Ana Bell", avatarUrl: `ipfs://${CID}/me.png` });
  const asked = page.waitForRequest("https://ipfs.io/**");
  await page.goto("/dashboard");

  expect((await asked).url()).toBe(`https://ipfs.io/ipfs/${CID}/me.png`);
  expect((await asked).headers()).not.toHaveProperty("referer");
  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  await expect(sidebar.getByText("Ana Bell")).toBeVisible();
  await expect(sidebar.locator("img")).toHaveJSProperty("naturalWidth", 1);
});
