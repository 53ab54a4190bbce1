import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { readUser } from "../../server/profile/contract.ts";
import { MEMBER_PLACES } from "./commands/places.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const ORIGIN = "http://nodebeat.test";
const MEMBER_PAGES = ["/dashboard", "/agentinsights", "/rewards", "/referrals", "/profile"];
const OTHER_PAGES = ["/profile/email", "/profile/delete", "/faqs", "/terms", "/privacy"];
/** The places of the command menu, and some that not everyone is shown. */
const PLACES = [...MEMBER_PLACES.map(({ to }) => to), "/faqs#measuring", "/privacy#contact"];

/** Returns the links on a page whose address names a part of a page. */
const readLinks = (path: string, html: string): URL[] =>
  Array.from(html.matchAll(/<a [^>]*href="([^"]*#[^"]+)"/g), ([, href = ""]) => new URL(href, ORIGIN + path));

describePages(database, api, ({ pages, visitMember }) => {
  test("every link to a part of a page finds its target", async () => {
    const { visitor } = await visitMember();
    const shown = new Map<string, string>();
    for (const path of [...MEMBER_PAGES, ...OTHER_PAGES]) {
      const { html, status } = await readPage(visitor, path);
      expect([path, status]).toEqual([path, 200]);
      shown.set(path, html);
    }
    const links = Array.from(shown).flatMap(([path, html]) => readLinks(path, html));
    expect(links.map(String)).toContain(`${ORIGIN}/agentinsights#start-node`);
    const lost = [...links, ...PLACES.map((to) => new URL(to, ORIGIN))].filter(({ hash, origin, pathname }) => {
      const html = shown.get(pathname) ?? "";
      return origin === ORIGIN && !html.includes(hash ? ` id="${hash.slice(1)}"` : "<main");
    });
    expect(lost.map(String)).toEqual([]);
  });

  test("a link to the referral link finds its target even if the referral link fails to load", async () => {
    const { visitor } = await visitMember();
    pages.override(readUser, () => Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 }));
    const { html, text } = await readPage(visitor, "/referrals");
    expect(text).toContain("Refer a Friend Could not be loaded");
    expect(html).toContain(' id="share"');
  });
});
