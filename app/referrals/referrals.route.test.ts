import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { readPointsRules } from "../../server/points/contract.ts";
import { readReferrals, type Referral } from "../../server/referrals/contract.ts";
import type { SeedFriend } from "../../tests/support/app-messages.ts";
import { inviteFriend } from "../../tests/support/seeds/invite-friend.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

/** Adds a friend who joined with a member's link and has made this progress. */
const invite = (inviterId: string, progress: SeedFriend) => inviteFriend(api.deps, inviterId, progress);

/** A friend as another backend may describe them. */
const friend = (inviteeEmail: string, known: Partial<Referral>): Referral => ({
  id: inviteeEmail,
  invitedPoints: 750,
  inviteeEmail,
  inviteeHeartbeats: 3,
  inviteeUsername: null,
  walletConnected: true,
  invitedAt: clock.now().toISOString(),
  status: "Pending",
  canClaim: false,
  ...known,
});

const REVIEW = "We are reviewing this invitation. You do not need to do anything.";

describePages(database, api, ({ pages, visitMember }) => {
  test.each<[SeedFriend, string]>([
    [{}, "Your friend needs 100 more heartbeats and a linked wallet."],
    [{ heartbeats: 99 }, "Your friend needs 1 more heartbeat and a linked wallet."],
    [{ heartbeats: 12, wallet: true }, "Your friend needs 88 more heartbeats."],
    [{ heartbeats: 100 }, "Your friend needs a linked wallet."],
  ])("a friend with %o is pending, and their row says what is missing", async (progress, reason) => {
    const { visitor, user } = await visitMember();
    await invite(user.id, progress);
    const { text } = await readPage(visitor, "/referrals");
    expect(text).toContain(reason);
    expect(text).not.toContain(REVIEW);
  });

  test.each<[SeedFriend, string]>([
    [{ heartbeats: 100, wallet: true }, REVIEW],
    [{ heartbeats: 100 }, `${REVIEW} Your friend needs a linked wallet.`],
    [{ wallet: true }, `${REVIEW} Your friend needs 100 more heartbeats.`],
  ])("a held invitation of a friend with %o says so, and what is missing", async (progress, reason) => {
    const { visitor, user } = await visitMember();
    await invite(user.id, { ...progress, email: user.email.replace("@", "+2@") });
    const { text } = await readPage(visitor, "/referrals");
    expect(text).toContain(reason);
    expect(text.includes("Your friend needs")).toBe(reason.includes("Your friend needs"));
  });

  test("shows nothing as missing for a friend who meets all conditions", async () => {
    const { visitor, user } = await visitMember();
    await invite(user.id, { heartbeats: 100, wallet: true });
    const { text } = await readPage(visitor, "/referrals");
    expect(text).toContain("Claimable");
    expect(text).not.toMatch(/Your friend needs|reviewing/);
  });

  test.each(["", "?status=Claimable", "?status=Pending", "?status=Success"])(
    "/referrals%s invites a member without any friends to share their link",
    async (search) => {
      const { visitor } = await visitMember();
      const { text } = await readPage(visitor, `/referrals${search}`);
      expect(text).toContain("No friends yet Share your link. Friends who join with it appear here.");
      expect(text).not.toMatch(/All the friends you invited|Show all friends/);
    },
  );

  test("a status that no friend has says so, and links to all friends", async () => {
    const { visitor, user } = await visitMember();
    await invite(user.id, { heartbeats: 100, wallet: true });
    const { html, text } = await readPage(visitor, "/referrals?status=Pending");
    expect(text).toContain("No pending friends All the friends you invited are active.");
    expect(html).toMatch(/<a [^>]*href="\/referrals"[^>]*>Show all friends/);
    expect((await readPage(visitor, "/referrals?status=Success")).text).toContain(
      "Nothing claimed yet Friends whose points you claimed appear here.",
    );
  });

  test("derives what is missing if the backend gives no reasons", async () => {
    const { visitor } = await visitMember();
    const referrals = [
      friend("ada@nodebeat.test", {}),
      friend("ben@nodebeat.test", { inviteeHeartbeats: 500 }),
      friend("cid@nodebeat.test", { inviteeHeartbeats: 500, pendingReasons: ["heartbeats"] }),
      friend("eve@nodebeat.test", { pendingReasons: ["left", "heartbeats", "wallet"] }),
      friend("dee@nodebeat.test", { status: "Claimable", canClaim: true }),
    ];
    const stats = { totalReferralPoints: 0, successfulReferralsAmount: 0, pendingReferralsAmount: 5 };
    const pagination = { limit: 10, page: 1, total: 5, totalPages: 1 };
    pages.override(readReferrals, () => Response.json({ success: true, referrals, stats, pagination }));

    const { text, html } = await readPage(visitor, "/referrals");
    expect(text).toMatch(/ada@nodebeat\.test Your friend needs 97 more heartbeats\. /);
    expect(text).toMatch(/ben@nodebeat\.test (?!Your)/);
    expect(text).toMatch(/cid@nodebeat\.test Your friend needs more heartbeats\. /);
    expect(text).toMatch(/eve@nodebeat\.test This friend has deleted their account\. (?!Your)/);
    expect(html).toContain("Claim 750 points for dee@nodebeat.test");
  });

  test("rounds up a fractional number of pages when redirecting to the last one", async () => {
    const { visitor } = await visitMember();
    const pagination = { limit: 10, page: 9, total: 25, totalPages: 2.5 };
    pages.override(readReferrals, () => Response.json({ success: true, referrals: [], stats: {}, pagination }));
    expect((await visitor.get("/referrals?page=9")).headers.get("Location")).toBe("/referrals?page=3");
  });

  // specification: 9.11
  test("every page takes its figures from the rules in force", async () => {
    const { visitor, user } = await visitMember();
    await invite(user.id, { heartbeats: 12, wallet: true });
    const rules = await api.read(readPointsRules);
    pages.override(readPointsRules, () => Response.json({ ...rules, referralPoints: 2500.5, heartbeatsRequired: 40 }));

    const referrals = await readPage(visitor, "/referrals");
    expect(referrals.text).toContain("2.500,5 for each friend");
    expect(referrals.text).toContain("starts with 2.500,5 extra points");
    expect(referrals.html).toContain(encodeURIComponent("Join me on Nodebeat and start with 2.500,5 extra points."));
    expect(referrals.text).toContain("needs 28 more heartbeats.");
    const claimable = await readPage(visitor, "/referrals?status=Claimable");
    expect(claimable.text).toContain("when a friend has 40 heartbeats and a linked wallet");
    const dashboard = await readPage(visitor, "/dashboard");
    expect(dashboard.text).toContain("starts with 2.500,5 extra points");
    expect(dashboard.text).toMatch(/Heartbeats 0\s?\/\s?40/);
  });

  test.each([
    ["knows no rules", () => Response.json({ message: "No", error: "NOT_FOUND" }, { status: 404 })],
    ["returns something else", () => Response.json({ referralPoints: "many" })],
    ["cannot be reached", () => Response.error()],
  ])("shows the figures of the specification if the backend %s", async (_, answer) => {
    const { visitor } = await visitMember();
    pages.override(readPointsRules, answer);
    const { status, text } = await readPage(visitor, "/referrals");
    expect(status).toBe(200);
    expect(text).toContain("1.000 for each friend");
    expect((await readPage(visitor, "/dashboard")).text).toContain("starts with 1.000 extra points");
  });

  test("the referral link can be scanned, downloaded and shared without a script", async () => {
    const { visitor, user } = await visitMember();
    const { html } = await readPage(visitor, "/referrals");
    const code = user.personal_code ?? "";
    const link = encodeURIComponent(`http://nodebeat.test/auth/signup?referralCode=${code}`);
    expect(html).toMatch(new RegExp(`<img [^>]*src="/share/${code}/qr.svg"[^>]*alt="QR code of your referral link`));
    expect(html).toContain(`href="/share/${code}/qr.png" download="nodebeat-${code}.png"`);
    const targets = Array.from(html.matchAll(/<a href="([^"]+)" target="_blank" rel="([^"]+)"/g), ([, href, rel]) => [
      new URL((href ?? "").replaceAll("&amp;", "&")),
      rel,
    ]);
    expect(targets.map(([url]) => (url as URL).host)).toEqual(["wa.me", "t.me", "x.com"]);
    // The member's mail program opens beside the page, and a new tab would stay empty.
    expect(html).toMatch(new RegExp(`<a href="mailto:\\?subject=[^"]+&amp;body=[^"]+${link}" class=[^>]+>Email</a>`));
    for (const [url, rel] of targets) {
      expect((url as URL).search).toContain(link);
      expect(rel).toBe("noopener noreferrer");
    }
    expect((await readPage(visitor, "/dashboard")).html).toContain('href="/referrals#share"');
  });
});
