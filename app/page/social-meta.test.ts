import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { readPointsRules } from "../../server/points/contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

/** Returns what the page's head says for chats and networks. */
const readSocial = (html: string) =>
  Object.fromEntries(
    Array.from(
      html.matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+|description)" content="([^"]*)"/g),
      ([, name = "", content = ""]) => [name, content],
    ),
  );

describePages(database, api, ({ pages }) => {
  const read = async (path: string) => readSocial((await readPage(createVisitor(pages), path)).html);

  test("an invitation link has a preview with its code and nothing about the inviter", async () => {
    const rules = await api.read(readPointsRules);
    pages.override(readPointsRules, () => Response.json({ ...rules, referralPoints: 2500.5 }));
    const title = "You are invited to Nodebeat";
    const description = "Join with the code K7QX2 and start with 2.500,5 extra points.";
    const image = "http://nodebeat.test/share/K7QX2/preview.png";
    const alt = "An invitation to Nodebeat with the code K7QX2";
    expect(await read("/auth/signup?referralCode=K7QX2&utm_source=x")).toEqual({
      description,
      "og:type": "website",
      "og:site_name": "Nodebeat",
      "og:url": "http://nodebeat.test/auth/signup?referralCode=K7QX2",
      "og:title": title,
      "og:description": description,
      "og:image": image,
      "og:image:type": "image/png",
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": alt,
      "twitter:card": "summary_large_image",
      "twitter:title": title,
      "twitter:description": description,
      "twitter:image": image,
      "twitter:image:alt": alt,
    });
  });

  test("an invitation preview omits the number of points if the rules cannot be read", async () => {
    pages.override(readPointsRules, () => Response.error());
    expect(await read("/auth/signup?referralCode=K7QX2")).toMatchObject({
      "og:description": "Join with the code K7QX2 and start with extra points.",
    });
  });

  test.each([
    ["/auth", "Nodebeat"],
    ["/auth/signup", "Nodebeat"],
    ["/auth/signup?referralCode=abc", "Nodebeat"],
    ["/auth/forgot-password?code=nbv_secret", "Nodebeat"],
    ["/faqs?q=wallet", "Help &amp; FAQs · Nodebeat"],
  ])("%s has the product's own preview, without its query", async (path, title) => {
    expect(await read(path)).toMatchObject({
      "og:url": `http://nodebeat.test${path.split("?")[0]}`,
      "og:title": title,
      "og:image": "http://nodebeat.test/share/preview.png",
      "og:image:alt": "Nodebeat: Points, referrals and rewards for the members of a community-node network.",
    });
  });

  test("a malformed referral code gets the product's preview image", async () => {
    expect(await read(`/auth/signup?referralCode=${encodeURIComponent('<a">b')}`)).toMatchObject({
      "og:image": "http://nodebeat.test/share/preview.png",
    });
  });
});
