import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage, readText } from "../../tests/support/pages/test-pages.ts";
import { DEFAULT_STATS } from "../points/default-stats.ts";
import { readHeartbeatStatus } from "../../server/heartbeats/contract.ts";
import { readStats } from "../../server/points/contract.ts";
import { readSubmissions, type CampaignSubmission } from "../../server/rewards/contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const TO_CLAIM = { completed: true, claimable: true };
const CLAIMED = { completed: true, claimable: false };

const campaign = (taskNumber: number, known: Partial<CampaignSubmission>): CampaignSubmission => ({
  completed: false,
  campaignName: `Task ${taskNumber}`,
  campaignId: `task-${taskNumber}`,
  type: "form",
  formUrl: "https://nodebeat.example/form",
  bonusPoints: 100,
  mandatory: false,
  taskNumber,
  claimable: false,
  ...known,
});

const namesIn = (html: string) => readText(html).match(/Task \d+/g);

describePages(database, api, ({ pages, visitMember }) => {
  async function show(submissions: CampaignSubmission[]) {
    const { visitor } = await visitMember();
    pages.override(readSubmissions, () => Response.json(submissions));
    return readPage(visitor, "/rewards");
  }

  test("lists claimable rewards first, then open ones, folds claimed ones, and counts them all", async () => {
    const { html, text } = await show([
      campaign(3, CLAIMED),
      campaign(2, {}),
      campaign(5, TO_CLAIM),
      campaign(1, CLAIMED),
      campaign(4, { mandatory: true }),
    ]);
    expect(text).toContain("Claimed 2 of 6 rewards Claimable 1 +100 points To do 3 +700 points");
    const [open = "", folded = ""] = html.slice(html.indexOf('aria-label="Claimable"')).split("<details");
    expect(namesIn(open)).toEqual(["Task 5", "Task 2", "Task 4"]);
    expect(readText(open)).toMatch(/Task 2 Optional .*Task 4 Required (?!social|form)/);
    expect(folded).not.toMatch(/^[^>]* open/);
    expect(namesIn(folded.slice(0, folded.indexOf("</details>")))).toEqual(["Task 1", "Task 3"]);
  });

  test("uses the singular for one claimable point, also in the accessible name", async () => {
    const { html, text } = await show([campaign(1, { ...TO_CLAIM, bonusPoints: 1 })]);
    expect(html).toContain('aria-label="Claim 1 point for Task 1"');
    expect(text).toContain("Claimable 1 +1 point To do 1 +500 points");
  });

  test("a form whose button has no text gets a default one", async () => {
    const { html } = await show([campaign(1, { buttonText: "" })]);
    expect(html).toMatch(/aria-label="Open form: Task 1 \(opens in a new tab\)"[^>]*>Open form</);
  });

  test("shows no share of the points if there are none", async () => {
    const { text } = await show([campaign(1, {})]);
    expect(text).toContain("Points from rewards 0 no points yet Claimed 0 of 2 rewards");

    const untold = { category: "rewards", color: null, percentage: null, value: null };
    pages.override(readStats, () => Response.json({ ...DEFAULT_STATS, points_breakdown: [untold] }));
    expect((await show([])).text).toContain("Points from rewards – no points yet");
  });

  test("suggests inviting a friend if there are no campaigns", async () => {
    const { html, text } = await show([]);
    expect(text).toContain("No rewards yet New rewards appear here.");
    expect(html).toMatch(/<a [^>]*href="\/referrals"[^>]*>Invite a friend/);
  });

  test("does not fold the claimed campaigns if all are claimed", async () => {
    const { html, text } = await show([campaign(1, CLAIMED)]);
    expect(html).toMatch(/<details[^>]* open/);
    expect(text).toContain("Claimed 1 of 2 rewards Claimable 0 0 points To do 1 +500 points");
  });

  test.each([
    [99, "after 1 more heartbeat."],
    [98, "after 2 more heartbeats."],
    [100, "after more heartbeats."],
    [undefined, "after more heartbeats."],
  ])("with %s heartbeats, says how many more the heartbeat reward needs", async (currentHeartbeats, told) => {
    const { visitor } = await visitMember();
    const status = { currentHeartbeats, requiredHeartbeats: 100, completed: false, claimable: false };
    pages.override(readHeartbeatStatus, () =>
      Response.json({ ...status, claimed: false, bonusPoints: 500, lastHeartbeatAt: null }),
    );
    const { text } = await readPage(visitor, "/rewards");
    expect(text).toContain(`You can claim this reward ${told}`);
  });

  test("a campaign's goal within the product is linked, with the member's progress", async () => {
    const { visitor } = await visitMember();
    pages.override(readSubmissions, () =>
      Response.json([
        campaign(1, { type: "3 friends" }),
        campaign(2, { type: "uptime", buttonText: "Open form" }),
        campaign(3, { type: "profile" }),
        campaign(4, { type: "many friends" }),
        campaign(5, { formUrl: "javascript:alert(1)" }),
      ]),
    );
    pages.override(readStats, () => Response.json({ ...DEFAULT_STATS, total_referrals: 9, successful_referrals: 1 }));
    const { html, text } = await readPage(visitor, "/rewards");
    expect(text).toContain("Task 1 Optional · 1 of 3");
    expect(text).toMatch(/Task 5 Optional \+100 To do/);
    const links = Array.from(html.matchAll(/<a [^>]*: Task \d[^>]*>/g), ([link]) => [
      /aria-label="([^"]+)"/.exec(link)?.[1],
      /href="([^"]+)"/.exec(link)?.[1],
    ]);
    expect(links).toEqual([
      ["Invite friends: Task 1", "/referrals"],
      ["See your uptime: Task 2", "/agentinsights"],
      ["Open profile: Task 3", "/profile"],
      ["Open form: Task 4 (opens in a new tab)", "https://nodebeat.example/form"],
    ]);
  });
});
