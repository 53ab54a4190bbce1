import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { readReferrals as listFriends, type Referral } from "../../server/referrals/contract.ts";
import { readReferrals } from "../../server/referrals/service.ts";
import { readStats } from "../../server/points/service.ts";
import { inviteFriend } from "../../tests/support/seeds/invite-friend.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const claimPath = (id: string) => ({ method: "POST", path: `/api/campaigns/referral/${id}/claim` }) as const;
const READY = { heartbeats: 100, wallet: true };

/** A friend as another backend may describe them, except for their id. */
const FRIEND: Omit<Referral, "id"> = {
  invitedPoints: 750,
  inviteeEmail: null,
  inviteeHeartbeats: 100,
  inviteeUsername: null,
  walletConnected: true,
  invitedAt: "2026-11-05T10:00:00.000Z",
  status: "Claimable",
  canClaim: true,
};

describePages(database, api, ({ pages, visitMember }) => {
  /** Returns a member with friends to claim, and one friend who is not active yet. */
  async function visitInviter(ready: number) {
    const member = await visitMember();
    const ids: string[] = [];
    for (let index = 0; index < ready; index += 1) ids.push(await inviteFriend(api.deps, member.user.id, READY));
    await inviteFriend(api.deps, member.user.id, { heartbeats: 3 });
    return { ...member, ids };
  }
  const claimAll = (visitor: Awaited<ReturnType<typeof visitInviter>>["visitor"]) =>
    visitor.post("/referrals?limit=5", { intent: "claim-all" });

  test("lists claimable friends first, and counts only inactive friends as pending", async () => {
    const { visitor } = await visitInviter(2);
    clock.advance(1000);
    const { html, text } = await readPage(visitor, "/referrals");
    expect(text).toContain("Claimable 2 +2.000 points Pending 1 not active yet Success 0 of 3 friends");
    expect(html.match(/>(Claimable|Pending|Success)<\/span>/g)).toEqual([
      ">Claimable</span>",
      ">Claimable</span>",
      ">Pending</span>",
    ]);
    expect(text).toContain("Claim all (2)");
  });

  test("offers no button to claim all if only one friend is claimable", async () => {
    const { visitor } = await visitInviter(1);
    expect((await readPage(visitor, "/referrals")).text).not.toContain("Claim all");
  });

  test("claims all friends together, each one once, and says so in one sentence", async () => {
    const { visitor, user } = await visitInviter(3);
    const response = await claimAll(visitor);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/referrals?limit=5"]);
    expect((await readPage(visitor, "/referrals")).text).toContain("You claimed 3.000 points for 3 friends.");
    const { stats } = await readReferrals(api.deps, user.id, { page: 1, limit: 25 });
    expect(stats).toMatchObject({ totalReferralPoints: 3000, successfulReferralsAmount: 3 });

    await claimAll(visitor);
    expect((await readPage(visitor, "/referrals")).text).toContain("You have claimed everything that you can.");
    expect((await readStats(api.deps, user.id)).points_total).toBe(3000);
  });

  test("claims friends on every page of the list", async () => {
    const { visitor } = await visitMember();
    const stats = { totalReferralPoints: 0, successfulReferralsAmount: 0, pendingReferralsAmount: 2 };
    pages.override(listFriends, ({ url }) => {
      const page = Number(new URL(url).searchParams.get("page"));
      const pagination = { limit: 1, page, total: 2, totalPages: 2 };
      return Response.json({ success: true, referrals: [{ ...FRIEND, id: `friend-${page}` }], stats, pagination });
    });
    for (const id of ["friend-1", "friend-2"])
      pages.override(claimPath(id), () => Response.json({ success: true, message: "Claimed" }));
    await claimAll(visitor);
    const { html, text } = await readPage(visitor, "/referrals");
    expect(text).toContain("You claimed 1.500 points for 2 friends.");
    // The pages are as small as the backend's, so the next friend is on the second one.
    expect(text).toContain("1–1 of 2");
    expect(html).toContain('href="/referrals?page=2"');
    // One page of friends does not say what they are worth together.
    expect(text).toContain("Claimable 2 friends Pending 0 ");
  });

  test("claims each friend once if the backend omits the number of pages and the points", async () => {
    const { visitor } = await visitMember();
    const { invitedPoints: _, ...friend } = FRIEND;
    const stats = { totalReferralPoints: 0, successfulReferralsAmount: 0, pendingReferralsAmount: 2 };
    const referrals = ["friend-1", "friend-2"].map((id) => Object.assign({ id }, friend));
    pages.override(listFriends, () => Response.json({ success: true, referrals, stats, pagination: { total: 2 } }));
    for (const { id } of referrals)
      pages.override(claimPath(id), () => Response.json({ success: true, message: "Claimed" }));
    await claimAll(visitor);
    expect((await readPage(visitor, "/referrals")).text).toContain("You claimed the points for 2 friends.");
    expect(pages.calls.filter((call) => call === `POST ${claimPath("friend-1").path}`)).toHaveLength(1);
  });

  test("claims every friend even if the backend omits the number of pages or of friends", async () => {
    const stats = { totalReferralPoints: 0, successfulReferralsAmount: 0, pendingReferralsAmount: 26 };
    const friends = Array.from({ length: 26 }, (_, nth) => ({ ...FRIEND, id: `friend-${nth}` }));
    // Nobody knows what one of them is worth.
    const { invitedPoints: _, ...unsaid } = FRIEND;
    const known = [...friends.slice(0, 25), { ...unsaid, id: "friend-25" }];
    for (const { id } of friends)
      pages.override(claimPath(id), () => Response.json({ success: true, message: "Claimed" }));
    const answer = (referrals: object[], more: object) => Response.json({ success: true, referrals, stats, ...more });

    pages.override(listFriends, ({ url }) => {
      const page = Number(new URL(url).searchParams.get("page") ?? 1);
      return answer(known.slice(25 * (page - 1), 25 * page), { pagination: { total: 26 } });
    });
    const { visitor } = await visitMember();
    await claimAll(visitor);
    expect((await readPage(visitor, "/referrals")).text).toContain("You claimed the points for 26 friends.");

    pages.override(listFriends, () => answer(friends.slice(0, 2), {}));
    const other = await visitMember();
    expect((await claimAll(other.visitor)).status).toBe(303);
    expect((await readPage(other.visitor, "/referrals")).text).toContain("You claimed 1.500 points for 2 friends.");
  });

  test("says that there is more to claim if there are more friends than one form claims", async () => {
    const friends = Array.from({ length: 101 }, (_, nth) => ({ ...FRIEND, id: `friend-${nth}` }));
    for (const { id } of friends)
      pages.override(claimPath(id), () => Response.json({ success: true, message: "Claimed" }));
    pages.override(listFriends, ({ url }) => {
      const page = Number(new URL(url).searchParams.get("page") ?? 1);
      const stats = { totalReferralPoints: 0, successfulReferralsAmount: 0, pendingReferralsAmount: 101 };
      const pagination = { page, limit: 25, total: 101, totalPages: 5 };
      return Response.json({ success: true, referrals: friends.slice(25 * (page - 1), 25 * page), stats, pagination });
    });
    const { visitor } = await visitMember();
    await claimAll(visitor);
    expect((await readPage(visitor, "/referrals")).text).toMatch(/for 100 friends\. There is more to claim\./);

    for (const { id } of friends)
      pages.override(claimPath(id), () => Response.json({ message: "Claimed", error: "CONFLICT" }, { status: 409 }));
    await claimAll(visitor);
    const { text } = await readPage(visitor, "/referrals");
    expect(text).toContain("There is more to claim.");
    expect(text).not.toContain("You have claimed everything");
  });

  test("a friend claimed in another tab is no failure, and real failures are reported with the successes", async () => {
    const { visitor, ids } = await visitInviter(4);
    const [first = "", second = "", third = ""] = ids;
    pages.override(claimPath(first), () => Response.json({ message: "Claimed", error: "CONFLICT" }, { status: 409 }));
    // Another backend may use this code.
    pages.override(claimPath(second), () => Response.json({ message: "Claimed", error: "ALREADY" }, { status: 409 }));
    pages.override(claimPath(third), () => Response.json({ message: "No", error: "NOT_FOUND" }, { status: 404 }));
    await claimAll(visitor);
    expect((await readPage(visitor, "/referrals")).text).toContain(
      "You claimed 1.000 points for 1 friend. The points for 1 friend could not be claimed. Please try again.",
    );
  });

  test("the page says why if no claim succeeds", async () => {
    const { visitor, ids } = await visitInviter(2);
    for (const id of ids)
      pages.override(claimPath(id), () => Response.json({ message: "Closed today.", error: "NO" }, { status: 403 }));
    const response = await claimAll(visitor);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("Closed today.");
  });

  test("stops claiming once the backend does not respond or limits requests", async () => {
    const { visitor, ids } = await visitInviter(3);
    let asked = 0;
    for (const id of ids)
      pages.override(claimPath(id), (request) => ((asked += 1) === 1 ? api.fetch(request) : Response.error()));
    await claimAll(visitor);
    // One claim went through, and one was tried twice.
    expect(asked).toBe(3);
    expect((await readPage(visitor, "/referrals")).text).toContain(
      "You claimed 1.000 points for 1 friend. The points for 2 friends could not be claimed. Please try again.",
    );

    const response = await claimAll(visitor);
    expect([response.status, asked]).toEqual([503, 5]);

    for (const id of ids)
      pages.override(claimPath(id), () => {
        asked += 1;
        return Response.json({ message: "Slow down.", error: "LIMITED" }, { status: 429 });
      });
    expect([(await claimAll(visitor)).status, asked]).toEqual([429, 6]);
  });

  test.each(["1 1000", "<b>", "9999 1 0", "1 1000 0 2"])(
    "ignores malformed figures of a claim: %s",
    async (figures) => {
      const { visitor } = await visitMember();
      visitor.cookies.set("note_claim_1", `all.${encodeURIComponent(figures)}`);
      const { text } = await readPage(visitor, "/referrals");
      expect(text).toContain("You have claimed everything that you can.");
    },
  );
});
