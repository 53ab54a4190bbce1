import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { readAdjustmentRequests, type AdjustmentRequest } from "../../server/adjustments/contract.ts";
import {
  readBackgroundJobs,
  readChainJobs,
  type BackgroundJob,
  type ChainJob,
} from "../../server/background-work/contract.ts";
import {
  readCampaign,
  readCampaignCompletions,
  readCampaigns,
  type Campaign,
} from "../../server/campaigns/contract.ts";
import { findMembers, type FoundMember } from "../../server/member-administration/contract.ts";
import { readHeldReferrals, type HeldReason } from "../../server/referrals/contract.ts";
import { readDeliveries, readWebhooks, type Webhook, type WebhookDelivery } from "../../server/webhooks/contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const ID = "01890000-0000-7000-8000-000000000001";
const NOON = "2026-11-20T12:00:00.000Z";
const LATER = "2026-11-20T12:30:00.000Z";
const CLEO = { id: ID, email: "cleo@example.com" };
const GONE = { id: ID, email: null };
const ADA = { kind: "administrator", id: "ada", email: "ada@example.com" } as const;

const chainJob = (known: Partial<ChainJob>): ChainJob => ({
  id: ID,
  member: CLEO,
  kind: "execute",
  state: "failed",
  owner: "0xowner",
  machineAddress: null,
  txHash: null,
  explorerUrl: null,
  replacedHashes: [],
  blockNumber: null,
  sender: null,
  senderNonce: null,
  errorName: null,
  attempts: 0,
  createdAt: NOON,
  sentAt: null,
  completedAt: null,
  failedAt: null,
  work: null,
  canRetry: false,
  ...known,
});

const job = (key: string, known: Partial<BackgroundJob>): BackgroundJob => ({
  kind: "mail",
  key,
  state: "waiting",
  attempts: 0,
  dueAt: LATER,
  deadAt: null,
  expiresAt: null,
  lastError: null,
  ...known,
});

const CAMPAIGN: Campaign = {
  id: "survey",
  name: "A survey",
  type: "form",
  formUrl: "https://forms.example",
  bonusPoints: 250.5,
  mandatory: true,
  buttonText: null,
  taskNumber: 3,
  startsAt: null,
  endsAt: NOON,
  state: "running",
};

const request = (known: Partial<AdjustmentRequest>): AdjustmentRequest => ({
  id: ID,
  member: CLEO,
  points: -50,
  category: "Others",
  reason: "Paid twice",
  requestedBy: ADA,
  requestedAt: NOON,
  expiresAt: LATER,
  state: "waiting",
  decidedBy: null,
  decidedAt: null,
  isOwn: false,
  ...known,
});

const HELD: [reason: HeldReason, words: string][] = [
  ["same-mailbox", "The friend's address leads to the same mailbox as another account."],
  ["returned", "The mailbox had an account before, which was deleted or has another address now."],
  ["same-device", "The friend joined with a browser that the inviter uses."],
  ["disposable-address", "The address belongs to a disposable email service."],
  ["cycle", "The mailbox or browser belongs to somebody higher up in the chain of invitations."],
];

const WEBHOOK: Webhook = {
  id: ID,
  url: "https://hooks.example/",
  events: ["member.verified"],
  createdAt: NOON,
  previousUntil: null,
  paused: null,
  deliveries: { delivered: 3, waiting: 2, givenUp: 1 },
};

const delivery = (id: string, known: Partial<WebhookDelivery>): WebhookDelivery => ({
  id,
  type: "member.verified",
  at: NOON,
  state: "given-up",
  attempts: 1,
  lastAt: LATER,
  lastStatus: 500,
  lastError: null,
  ...known,
});

const list = (items: object[]) => ({ items, next: null });

/** The lists that administrators read: each value is in its own column. */
describePages(database, api, ({ pages, visitAdministrator }) => {
  async function visit() {
    const { visitor, user } = await visitAdministrator();
    return { user, see: async (path: string) => (await readPage(visitor, path)).text };
  }
  type Call = Parameters<typeof pages.override>[0];
  const answer = (call: Call, body: object) => pages.override(call, () => Response.json(body));

  test("the list of chain jobs shows the member, the state and the error", async () => {
    const { see } = await visit();
    const failed = chainJob({ work: job("k", { kind: "chain", attempts: 4, lastError: "No answer" }) });
    const done = chainJob({ id: "other", kind: "deploy", member: GONE, state: "completed", errorName: "Late" });
    answer(readChainJobs, list([failed, done]));
    expect(await see("/admin/chain-jobs")).toContain(
      "Machine ID of cleo@example.com cleo@example.com Failed No answer 4 20 Nov 2026, 12:00 UTC " +
        "Smart Account of a deleted account A deleted account Completed Late – 20 Nov 2026, 12:00 UTC",
    );
  });

  test("the list of emails shows each state with its time, and the possible actions", async () => {
    const { see } = await visit();
    const given = job("m1", { state: "given up", attempts: 9, deadAt: NOON, lastError: "451 later" });
    answer(readBackgroundJobs, list([given, job("m2", {}), job("m3", { state: "in hand", attempts: 1 })]));
    const text = await see("/admin/mail?show=all");
    expect(text).toContain("m1 Given up 20 Nov 2026, 12:00 UTC 9 451 later Try again mail m1");
    expect(text).toContain("m2 Waiting 20 Nov 2026, 12:30 UTC 0 – Send now mail m2");
    expect(text).toContain("m3 Sending 20 Nov 2026, 12:30 UTC 1 – –");
    expect(text.split("Remove mail ")).toHaveLength(2);

    answer(readBackgroundJobs, list([]));
    expect(await see("/admin/background-jobs")).toContain("Nothing here No job was given up.");
  });

  test("a campaign shows its times, its points and how many members have completed it", async () => {
    const { see } = await visit();
    answer(readCampaigns, [CAMPAIGN]);
    expect(await see("/admin/campaigns")).toContain("3 A survey survey Running 250,5 – 20 Nov 2026, 12:00 UTC");
    const path = "/api/admin/campaigns/survey" as const;
    answer(
      { ...readCampaign, path },
      {
        campaign: CAMPAIGN,
        completed: 10_000,
        claimed: 1,
        emails: { state: "sending", members: 1250 },
        seen: "",
      },
    );
    const completions = list([{ member: CLEO, completedAt: NOON, claimedAt: null }]);
    answer({ ...readCampaignCompletions, path: `${path}/completions` }, completions);
    const text = await see("/admin/campaigns/survey");
    for (const words of [
      "A survey Running Id survey Type form Form https://forms.example Points 250,5 Task number 3 Required Yes",
      "Button text Standard text Starts No start Ends 20 Nov 2026, 12:00 UTC",
      "Completed by 10.000 members or more Claimed by 1 of them Emails 1.250 members emailed so far",
      "cleo@example.com 20 Nov 2026, 12:00 UTC Not yet",
    ])
      expect(text).toContain(words);
  });

  test("the list of members shows each member's status labels and points", async () => {
    const { see } = await visit();
    const standing = { isWhitelisted: true, blockedAt: NOON, deletionDueAt: NOON };
    const found: FoundMember = { ...CLEO, createdAt: LATER, points: 1234.5, ...standing };
    answer(findMembers, list([found]));
    const row = "cleo@example.com Blocked Deletion requested Whitelisted 20 Nov 2026, 12:30 UTC 1.234,5";
    for (const [path, title] of [
      ["/admin/members", "Latest members"],
      ["/admin/members?search=cleo", "Found"],
    ] as const)
      expect(await see(path)).toMatch(new RegExp(`${title} .*${row}`));
  });

  test("the list of held invitations shows inviter, friend and the reason", async () => {
    const { see } = await visit();
    const held = HELD.map(([reason]) => ({ id: reason, inviter: CLEO, invitee: GONE, reason, heldAt: NOON }));
    answer(readHeldReferrals, list(held));
    const text = await see("/admin/referrals");
    for (const [, words] of HELD)
      expect(text).toContain(
        `20 Nov 2026, 12:00 UTC cleo@example.com A deleted account ${words} Review the invitation of a deleted`,
      );
  });

  test("a request for points shows who decides next, or the decision", async () => {
    const { user, see } = await visit();
    const items = [
      request({ state: "approved", decidedBy: { kind: "operator", id: null, email: null }, decidedAt: LATER }),
      request({ id: "waiting" }),
      request({ id: "own", isOwn: true, points: 1 }),
      request({ id: "mine", member: { id: user.id, email: user.email } }),
      request({ id: "void", state: "void" }),
    ];
    answer(readAdjustmentRequests, { ...list(items), alone: { perDay: 1000, left: 750 } });
    const text = await see("/admin/adjustments?show=all");
    const asked = "Others. Paid twice -50 20 Nov 2026, 12:00 UTC by ada@example.com";
    for (const words of [
      "up to 1.000 points a day (UTC). You have 750 left today.",
      `cleo@example.com ${asked} Approved 20 Nov 2026, 12:30 UTC by the operator –`,
      `cleo@example.com ${asked} Waiting until 20 Nov 2026, 12:30 UTC Approve -50 points for cleo@example.com`,
      "Waiting until 20 Nov 2026, 12:30 UTC Withdraw +1 point for cleo@example.com",
      `${asked} Waiting until 20 Nov 2026, 12:30 UTC These points are yours: another administrator decides.`,
      `${asked} Void The administrator who requested it has since lost the role. Decline -50 points`,
    ])
      expect(text).toContain(words);
  });

  test("a webhook shows its delivery counts, and the result of each message", async () => {
    const { see } = await visit();
    answer(readWebhooks, [WEBHOOK]);
    expect(await see("/admin/webhooks")).toContain("https://hooks.example/ member.verified Active 3 2 1");
    const deliveries = [
      delivery("first", {}),
      delivery("second", { state: "waiting", attempts: 2, lastError: "Timed out" }),
      delivery("third", { state: "delivered", attempts: 0, lastAt: null, lastStatus: null }),
    ];
    answer({ ...readDeliveries, path: `/api/admin/webhooks/${ID}/deliveries` }, { deliveries, next: null });
    const text = await see(`/admin/webhooks/${ID}`);
    for (const words of [
      "Last 30 days 3 delivered, 2 waiting, 1 given up",
      "Somebody has become a member first 20 Nov 2026, 12:00 UTC Given up 20 Nov 2026, 12:30 UTC 1 attempt 500 Send",
      "second 20 Nov 2026, 12:00 UTC Waiting 20 Nov 2026, 12:30 UTC 2 attempts Timed out Send",
      "third 20 Nov 2026, 12:00 UTC Delivered – – Send",
      "Send it now",
    ])
      expect(text).toContain(words);
  });
});
