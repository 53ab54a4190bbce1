import { afterAll, expect, test } from "vitest";
import { readReferrals, type Referral } from "../../server/referrals/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage, readText } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const friend: Referral = {
  id: "0192-friend",
  invitedPoints: 1000,
  inviteeEmail: "ada@nodebeat.test",
  inviteeHeartbeats: 1234,
  inviteeUsername: "ada",
  walletConnected: true,
  invitedAt: "2026-11-05T10:00:00.000Z",
  status: "Claimable",
  canClaim: true,
};
const nobody: Referral = {
  ...friend,
  id: "0192-nobody",
  inviteeEmail: null,
  walletConnected: false,
  status: "Success",
  canClaim: false,
};

const answer = (referrals: Referral[]) =>
  Response.json({
    success: true,
    referrals,
    stats: { totalReferralPoints: 0, successfulReferralsAmount: 1, pendingReferralsAmount: 1 },
    pagination: { limit: 10, page: 1, total: referrals.length, totalPages: 1 },
  });

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 2.60
  test("a row shows the friend's email or Anonymous, heartbeats, wallet, status, date and any claim", async () => {
    const { visitor } = await visitMember();
    const other = { ...nobody, id: "0192-other", status: "Expired" as Referral["status"] };
    const unnamed = { ...friend, id: "0192-unnamed", inviteeEmail: "" };
    pages.override(readReferrals, () => answer([friend, nobody, other, unnamed]));
    const { html } = await readPage(visitor, "/referrals");
    const rows = Array.from(html.matchAll(/<tr\b.*?<\/tr>/gs), ([row]) => readText(row).trim());
    expect(rows.slice(1)).toEqual([
      "ada@nodebeat.test 1.234 Connected Claimable Nov 5, 2026 Claim",
      "Anonymous 1.234 Not yet Success Nov 5, 2026 +1.000",
      "Anonymous 1.234 Not yet Expired Nov 5, 2026",
      "Anonymous 1.234 Connected Claimable Nov 5, 2026 Claim",
    ]);
    expect(html).toContain('aria-label="Claim 1.000 points for Anonymous"');
    expect(html).toMatch(/<span class="pill bg-sunken [^>]*>Expired</);
  });

  test("a page that has become empty links to the last one, and says nothing about all friends", async () => {
    const { visitor } = await visitMember();
    const { stats } = (await answer([]).json()) as { stats: object };
    // In a browser, the page would read it again without redirecting. Here, the backend reports the old number of
    // pages.
    const pagination = { limit: 5, page: 2, total: 5, totalPages: 2 };
    pages.override(readReferrals, () => Response.json({ success: true, referrals: [], stats, pagination }));
    const { html, text } = await readPage(visitor, "/referrals?status=Pending&limit=5&page=2");
    expect(text).toContain("This page is empty now");
    expect(text).not.toMatch(/All the friends you invited are active|6–5/);
    expect(html).toMatch(/<a [^>]*href="\/referrals\?status=Pending&amp;limit=5"[^>]*>Go to the last page/);
    // Each choice keeps the other.
    expect(html).toMatch(/<a href="\/referrals\?limit=5"[^>]*>All</);
    expect(html).toMatch(/<a href="\/referrals\?status=Pending&amp;limit=5" aria-current="true"[^>]*>Pending</);
    expect(html).toMatch(/<a href="\/referrals\?status=Pending&amp;limit=25"[^>]*>25</);
  });

  // specification: 2.17, 2.61, 9.17
  test("reads the first page in the sizes 5, 10 and 25, and shows 10", async () => {
    const { visitor } = await visitMember();
    const asked: string[] = [];
    pages.override(readReferrals, ({ url }) => {
      asked.push(new URL(url).search);
      return answer([friend]);
    });
    const { html } = await readPage(visitor, "/referrals");
    expect(asked.filter((search) => !search.includes("status")).toSorted()).toEqual([
      "?page=1&limit=10",
      "?page=1&limit=25",
      "?page=1&limit=5",
    ]);
    const [, sizes = ""] = html.split('aria-label="Friends per page"');
    const choices = Array.from(sizes.slice(0, sizes.indexOf("</nav>")).matchAll(/<a ([^>]*)>(\d+)/g));
    expect(choices.map(([, attributes = "", size]) => [size, attributes.includes('aria-current="true"')])).toEqual([
      ["5", false],
      ["10", true],
      ["25", false],
    ]);
  });
});
