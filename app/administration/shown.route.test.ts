import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { readChainJob, retryChainJob, type ChainJob } from "../../server/background-work/contract.ts";
import {
  readEntries,
  readMember,
  type MemberAccount,
  type MemberEntry,
} from "../../server/member-administration/contract.ts";
import { readOverview, type NetworkOverview } from "../../server/network/contract.ts";
import { readHeldReferral, type HeldReferralDetail } from "../../server/referrals/contract.ts";
import { FORM_INTENT } from "./form-fields.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const ID = "01890000-0000-7000-8000-000000000001";
const NOON = "2026-11-20T12:00:00.000Z";

const OVERVIEW: NetworkOverview = {
  summedAt: NOON,
  members: { total: 1234, joinedToday: 5, leftToday: 2 },
  unconfirmed: 3,
  heard: { inHour: 40, inDay: 90 },
  points: { connectivity: 1500.5, referral: 1000, rewards: 250, others: 0 },
  claims: 7,
  heldReferrals: 4,
  adjustmentRequests: 2,
  queue: [
    { kind: "mail", queued: 11, dead: 6, oldestDueSeconds: 7200 },
    { kind: "chain", queued: 1, dead: 0, oldestDueSeconds: 119 },
  ],
  chain: { isOk: false, problem: "The sender has no funds.", jobs: [{ state: "sent", queued: 8 }] },
};

const EMAIL = { kind: "mail", key: "0192", state: "given up", attempts: 3, lastError: "550 No such mailbox" } as const;

const MEMBER: MemberAccount = {
  id: ID,
  email: "cleo@example.com",
  createdAt: "2026-10-01T08:00:00.000Z",
  onboardedAt: "2026-10-01T08:01:00.000Z",
  blockedAt: "2026-11-19T09:00:00.000Z",
  deletionDueAt: null,
  isWhitelisted: true,
  isAdministrator: true,
  personalCode: "K7QX2",
  invitedBy: { id: ID, email: null },
  heldInvitation: { id: ID, standing: "held" },
  points: { total: 1275.5, connectivity: 25.5, referral: 1000, rewards: 250, others: 0 },
  heartbeats: 1,
  lastBeatAt: "2026-11-18T10:00:00.000Z",
  refusedBeats: [
    {
      claimedAt: "2026-11-20T13:00:00.000Z",
      receivedAt: "2026-11-18T11:00:00.000Z",
      reason: "too_early",
      message: "Check the clock.",
      device: "attic",
    },
    {
      claimedAt: null,
      receivedAt: "2026-11-18T10:30:00.000Z",
      reason: "revoked_key",
      message: "The key is revoked.",
      device: null,
    },
  ],
  referrals: { invited: 1, successful: 0, points: 0 },
  wallet: "0xwallet",
  smartAccount: "completed",
  machineId: null,
  chainJobs: { smartAccount: ID, machineId: null },
  machines: [
    { id: "m1", name: "attic", createdAt: "2026-10-02T08:00:00.000Z", revokedAt: null },
    { id: "m2", name: "cellar", createdAt: "2026-10-03T08:00:00.000Z", revokedAt: "2026-10-04T08:00:00.000Z" },
  ],
  emails: [{ ...EMAIL, dueAt: NOON, deadAt: "2026-11-19T08:00:00.000Z", expiresAt: null }],
  sessions: [],
};

const JOB: ChainJob = {
  id: ID,
  member: { id: ID, email: "cleo@example.com" },
  kind: "execute",
  state: "failed",
  owner: "0xowner",
  machineAddress: "0xmachine",
  txHash: "0xhash",
  explorerUrl: "https://explorer.example/tx/0xhash",
  replacedHashes: ["0xold1", "0xold2"],
  blockNumber: 12,
  sender: "0xsender",
  senderNonce: 0,
  errorName: "AlreadyRegistered",
  attempts: 2,
  createdAt: "2026-11-20T12:01:00.000Z",
  sentAt: "2026-11-20T12:02:00.000Z",
  completedAt: null,
  failedAt: "2026-11-20T12:03:00.000Z",
  work: null,
  canRetry: true,
};

const HELD: HeldReferralDetail = {
  id: ID,
  reason: "same-device",
  heldAt: NOON,
  inviter: {
    id: ID,
    email: "cleo@example.com",
    joinedAt: "2026-10-01T08:00:00.000Z",
    hasWallet: true,
    friends: { invited: 5, held: 2, refused: 1 },
  },
  invitee: { id: ID, email: null, joinedAt: "2026-11-20T11:00:00.000Z", hasWallet: false, heartbeats: 1234 },
  sameMailbox: [],
};

const ENTRY: MemberEntry = {
  id: ID,
  category: "Others",
  points: -50,
  comment: "Paid twice",
  rule: "by hand",
  occurredAt: NOON,
};

/** The facts that administrators rely on: each number and date is under its own name. */
describePages(database, api, ({ pages, visitAdministrator }) => {
  async function visit() {
    const { visitor, user } = await visitAdministrator();
    const see = async (path: string) => (await readPage(visitor, path)).text;
    return { visitor, user, see };
  }
  type Call = Parameters<typeof pages.override>[0];
  const answer = (call: Call, body: object) => pages.override(call, () => Response.json(body));

  test("the overview shows the network's figures, chain problems and overdue jobs", async () => {
    const { see } = await visit();
    answer(readOverview, OVERVIEW);
    const text = await see("/admin");
    for (const words of [
      "Members, nodes, points and claims as of 20 Nov 2026, 12:00 UTC",
      "2 point adjustments waiting for a second administrator.",
      "Members 1.234 5 joined and 2 left today",
      "Not confirmed yet 3 waiting",
      "Held invitations 4 waiting",
      "Active in the last hour 40 members",
      "Active in the last day 90 members",
      "Claims today 7 from",
      "Connectivity 1.500,5 Referral 1.000 Rewards 250 Others 0",
      "Needs attention The sender has no funds. Sent 8",
      "Longest overdue Given up emails 11 2 h 6 chain 1 119 s 0",
    ])
      expect(text).toContain(words);

    const chain = { isOk: true, problem: null, jobs: [] };
    answer(readOverview, { ...OVERVIEW, summedAt: null, adjustmentRequests: 0, queue: [], chain });
    const quiet = await see("/admin");
    for (const words of ["The first figures appear in a moment.", "Reachable No transaction", "Nothing is waiting."])
      expect(quiet).toContain(words);
    expect(quiet).not.toContain("point adjustment");
  });

  test("a member's page shows the state of the account, the points and the machines", async () => {
    const { visitor } = await visit();
    answer({ ...readMember, path: `/api/admin/members/${ID}` }, MEMBER);
    const { html, text } = await readPage(visitor, `/admin/members/${ID}`);
    expect(html).toContain(`<a href="/admin/chain-jobs/${ID}">Completed</a>`);
    for (const words of [
      "cleo@example.com Blocked Whitelisted Administrator",
      "Joined 1 Oct 2026, 08:00 UTC Onboarded 1 Oct 2026, 08:01 UTC Blocked since 19 Nov 2026, 09:00 UTC",
      "Referral code K7QX2 Invited by A deleted account This invitation Held: waiting for a decision",
      "Invitations 1 friend, 0 claimed Wallet 0xwallet",
      "Smart Account Completed Machine ID Not requested",
      "1.275,5 points",
      "Connectivity 25,5 Referral 1.000 Rewards 250 Others 0 1 heartbeat, the last one 18 Nov 2026, 10:00 UTC",
      "18 Nov 2026, 11:00 UTC 20 Nov 2026, 13:00 UTC attic Check the clock.",
      "18 Nov 2026, 10:30 UTC – Signed in, without a key The key is revoked.",
      "attic 2 Oct 2026, 08:00 UTC No cellar 3 Oct 2026, 08:00 UTC 4 Oct 2026, 08:00 UTC",
      "0192 Given up 19 Nov 2026, 08:00 UTC 3 550 No such mailbox",
      "Not signed in anywhere.",
      "Take off the whitelist",
      "Unblock the member",
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/Block the member|Put on the whitelist/);
  });

  test("a member's ledger shows each entry's comment and rule, and links to the next page", async () => {
    const { visitor } = await visit();
    const call = { ...readEntries, path: `/api/admin/members/${ID}/points` } as const;
    const entries = { items: [ENTRY], email: "cleo@example.com", heartbeatsSince: "2026-10-01T00:00:00.000Z" };
    const gone = "Heartbeats before 1 Oct 2026 are no longer listed one by one. All totals still count them.";
    answer(call, { ...entries, next: null });
    expect((await readPage(visitor, `/admin/members/${ID}/points`)).text).toContain(gone);
    answer(call, { ...entries, next: "a place" });
    const { html, text } = await readPage(visitor, `/admin/members/${ID}/points`);
    expect(text).not.toContain(gone);
    expect(text).toContain("20 Nov 2026, 12:00 UTC Others Paid twice by hand -50");
    expect(html).toContain(`href="/admin/members/${ID}/points?after=a+place"`);
  });

  test("a chain job's page shows all its details and can retry it", async () => {
    const { see, user, visitor } = await visit();
    const path = `/admin/chain-jobs/${ID}`;
    const call = `/api${path}` as const;
    answer({ ...readChainJob, path: call }, JOB);
    const { html, text } = await readPage(visitor, path);
    for (const words of [
      "Member cleo@example.com Signed by 0xowner Machine 0xmachine Transaction 0xhash",
      "Replaced transactions 0xold1 0xold2 Sent by 0xsender Nonce 0 Block 12 Error AlreadyRegistered",
      "Checks without a result 2 Attempts in a row – Error of the last attempt – Next attempt –",
      "Started 20 Nov 2026, 12:01 UTC Sent 20 Nov 2026, 12:02 UTC Completed – Failed 20 Nov 2026, 12:03 UTC",
      "Try again",
    ])
      expect(text).toContain(words);
    expect(html).toContain('<a href="https://explorer.example/tx/0xhash"');
    expect(html).toContain(`<a href="/admin/audit?about=job+chain+${ID}"`);

    answer({ ...retryChainJob, path: `${call}/retry` }, JOB);
    const form = { [FORM_INTENT]: "retry-chain-job", member: user.id, reason: "Funds are back" };
    expect((await visitor.post(path, form)).status).toBe(303);
    expect(pages.calls).toContain(`POST ${call}/retry`);
    expect(await see(path)).toContain("It runs within a second or two.");
  });

  test.each([
    ["failed", "The member has started again since, or no longer wants this."],
    ["sent", "It is running right now."],
    ["finalized", "It is done."],
  ] as const)("says why a chain job that is %s cannot be retried", async (state, words) => {
    const { see } = await visit();
    answer({ ...readChainJob, path: `/api/admin/chain-jobs/${ID}` }, { ...JOB, state, canRetry: false });
    expect(await see(`/admin/chain-jobs/${ID}`)).toContain(words);
  });

  test("a held invitation shows the facts about its inviter and friend", async () => {
    const { see } = await visit();
    answer({ ...readHeldReferral, path: `/api/admin/referrals/${ID}` }, HELD);
    const text = await see(`/admin/referrals/${ID}`);
    for (const words of [
      "Why The friend joined with a browser that the inviter uses. Held since 20 Nov 2026, 12:00 UTC",
      "Inviter cleo@example.com Inviter joined 1 Oct 2026, 08:00 UTC Inviter's wallet Linked",
      "Inviter's friends 5 invited, 2 held, 1 refused Friend A deleted account Friend joined 20 Nov 2026, 11:00 UTC",
      "Friend's wallet None Friend's heartbeats 1.234 Same mailbox No other account",
    ])
      expect(text).toContain(words);

    // The most friends that are counted, and the most accounts that are shown.
    const inviter = { ...HELD.inviter, friends: { invited: 10_000, held: 2, refused: 1 } };
    const sameMailbox = Array.from({ length: 10 }, (_, nth) => ({ id: `${nth}`, email: `cleo+${nth}@example.com` }));
    answer({ ...readHeldReferral, path: `/api/admin/referrals/${ID}` }, { ...HELD, inviter, sameMailbox });
    const more = await see(`/admin/referrals/${ID}`);
    expect(more).toContain("Inviter's friends 10.000 invited, 2 held, 1 refused, or more of each");
    expect(more).toContain("cleo+9@example.com There may be more.");
  });
});
