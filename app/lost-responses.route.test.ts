import { afterAll, expect, test } from "vitest";
import { inTransaction } from "../server/db/transaction.ts";
import type { Endpoint } from "../server/http/contract.ts";
import { createSmartAccount, updateMachineIdSignature } from "../server/machine-id/contract.ts";
import { claimReferral, readReferrals } from "../server/referrals/contract.ts";
import { recordReferral } from "../server/referrals/service.ts";
import { claimReward } from "../server/rewards/contract.ts";
import { completeCampaign } from "../server/campaigns/completions.ts";
import { saveCampaigns } from "../server/campaigns/service.ts";
import { changeWallet, linkWallet, WalletMessage } from "../server/wallet/contract.ts";
import { createTestApi } from "../tests/support/api/api.ts";
import { createAccount, seedChainMember, signAsWallet, type ChainMember } from "../tests/support/chain/chain-member.ts";
import { newWallet } from "../tests/support/chain/new-wallet.ts";
import { createTestDatabase } from "../tests/support/database/test-database.ts";
import { createVisitor, describePagesOver, readPage, type Visitor } from "../tests/support/pages/test-pages.ts";
import { inviteFriend } from "../tests/support/seeds/invite-friend.ts";
import type { MachineIdResponse } from "./machine-id/machine-id.route.ts";
import { REPEATED } from "./session/repeated.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

type Form = { path: string; fields: Record<string, string> };
type Write = {
  endpoint: Endpoint;
  /** How often it is retried, by the product specification, section 9. */
  retries: 0 | 1;
  /** Whether the member has no linked wallet. */
  unlinked?: true;
  /** Creates what the form needs, and returns the form. */
  prepare: (member: ChainMember, visitor: Visitor) => Promise<Form>;
};

const at = new Date("2026-11-20T12:00:00Z");

const signWallet = (purpose: "link" | "change") => async (member: ChainMember, visitor: Visitor) => {
  const wallet = newWallet();
  const request = { intent: "request", address: wallet.address, member: member.userId };
  const { message } = WalletMessage.parse(await (await visitor.post(`/wallet/${purpose}`, request)).json());
  const signature = await wallet.signMessage({ message });
  return { path: `/wallet/${purpose}`, fields: { intent: "submit", address: wallet.address, message, signature } };
};

const ask = async (visitor: Visitor, member: ChainMember, intent: string) => {
  const answer = await visitor.post("/machine-id", { intent, member: member.userId });
  const { typedData } = (await answer.json()) as MachineIdResponse;
  if (!typedData) throw new Error("There is nothing to sign");
  return { typedData, signature: await signAsWallet(member.wallet, typedData) };
};

const CAMPAIGN = {
  id: "survey",
  name: "Answer the survey",
  type: "form",
  formUrl: "https://nodebeat.test/survey",
  bonusPoints: 750,
  mandatory: false,
  taskNumber: 1,
  buttonText: null,
};

const WRITES: Write[] = [
  { endpoint: linkWallet, retries: 1, unlinked: true, prepare: signWallet("link") },
  { endpoint: changeWallet, retries: 1, prepare: signWallet("change") },
  {
    endpoint: createSmartAccount,
    retries: 1,
    async prepare(member, visitor) {
      const { typedData, signature } = await ask(visitor, member, "request-smart-account");
      const fields = { intent: "create-smart-account", ...typedData.message, signature };
      return { path: "/machine-id", fields };
    },
  },
  {
    endpoint: updateMachineIdSignature,
    retries: 0,
    async prepare(member, visitor) {
      await createAccount(api, member);
      await api.deps.chain.advance();
      const { signature } = await ask(visitor, member, "request-machine-id");
      return { path: "/machine-id", fields: { intent: "sign-machine-id", machineOwnerSignature: signature } };
    },
  },
  {
    endpoint: claimReward,
    retries: 1,
    async prepare({ userId }) {
      await inTransaction(database.db, async (tx) => {
        await saveCampaigns(tx, [CAMPAIGN]);
        await completeCampaign(tx, { userId, campaignId: CAMPAIGN.id, at });
      });
      return { path: "/rewards", fields: { intent: "claim", id: CAMPAIGN.id } };
    },
  },
  {
    endpoint: claimReward,
    retries: 1,
    prepare: async () => ({ path: "/rewards", fields: { intent: "claim", id: "heartbeat" } }),
  },
  {
    endpoint: claimReferral,
    retries: 1,
    async prepare({ token, userId }) {
      const friend = await seedChainMember(api.deps);
      await inTransaction(database.db, (tx) => recordReferral(tx, { inviterId: userId, inviteeId: friend.userId, at }));
      const { referrals } = await api.read(readReferrals, { token, query: {} });
      return { path: "/referrals", fields: { intent: "claim", id: referrals[0]?.id ?? "" } };
    },
  },
];

const READY = { heartbeats: 100, wallet: true };

describePagesOver(["http"], database, api, ({ pages }) => {
  async function begin({ endpoint, prepare, unlinked }: Write) {
    const member = await seedChainMember(api.deps, unlinked ? { wallet: null } : {});
    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: member.token, userId: member.userId });
    const { fields, path } = await prepare(member, visitor);
    const send = (headers: Record<string, string> = {}) =>
      visitor.send(path, { method: "POST", body: new URLSearchParams({ member: member.userId, ...fields }), headers });
    const [, ending = ""] = endpoint.path.replace("{id}", fields["id"] ?? "").split(/^\//);
    return { send, call: { method: endpoint.method, path: `/${ending}` as const } };
  }

  test.each(WRITES)("$endpoint.path reports success if only its first response is lost", async (write) => {
    const { send, call } = await begin(write);
    let isLost = false;
    pages.override(call, async (request) => {
      const answer = await api.fetch(request);
      if (isLost) return answer;
      isLost = true;
      expect(answer.status).toBe(200);
      return Response.error();
    });
    expect([200, 303]).toContain((await send()).status);
    expect(isLost).toBe(true);
  });

  test.each(WRITES)("a second $endpoint.path succeeds only if the page marks it as a repeat", async (write) => {
    const { send } = await begin(write);
    expect([200, 303]).toContain((await send()).status);
    expect((await send()).status).toBeGreaterThanOrEqual(400);
    expect([200, 303]).toContain((await send(REPEATED)).status);
  });

  test.each(WRITES)("does not call $endpoint.path again when a page repeats a write that succeeded", async (write) => {
    const { send, call } = await begin(write);
    let asked = 0;
    pages.override(call, (request) => {
      asked += 1;
      return api.fetch(request);
    });
    expect([200, 303]).toContain((await send()).status);
    expect([200, 303]).toContain((await send(REPEATED)).status);
    expect(asked).toBe(1);
  });

  // specification: 9.32
  test.each(WRITES)(
    "an unanswered $endpoint.path is retried as specified, and at most once more if a page repeats it",
    async (write) => {
      const { send, call } = await begin(write);
      let asked = 0;
      pages.override(call, () => {
        asked += 1;
        return Response.error();
      });
      expect((await send()).status).toBeGreaterThanOrEqual(400);
      expect(asked).toBe(1 + write.retries);
      expect((await send(REPEATED)).status).toBeGreaterThanOrEqual(400);
      // A page's first attempt may not have reached the server, so it is sent again, unless it must never be sent
      // twice.
      expect(asked).toBe(write.retries === 0 ? 1 : 3);
    },
  );

  test.each(WRITES)("a repeated $endpoint.path fails if the write never took effect", async (write) => {
    const { send, call } = await begin(write);
    pages.override(call, () => Response.error());
    expect((await send(REPEATED)).status).toBeGreaterThanOrEqual(400);
  });

  test("a repeated claim of all friends is no failure if the first one claimed them", async () => {
    const member = await seedChainMember(api.deps);
    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: member.token, userId: member.userId });
    for (let count = 0; count < 2; count += 1) await inviteFriend(api.deps, member.userId, READY);
    const body = new URLSearchParams({ member: member.userId, intent: "claim-all" });
    const send = (headers = {}) => visitor.send("/referrals", { method: "POST", body, headers });
    expect([(await send()).status, (await send(REPEATED)).status]).toEqual([303, 303]);
    expect((await readPage(visitor, "/referrals")).text).toContain("You have claimed everything that you can.");
    const { stats } = await api.read(readReferrals, { token: member.token, query: {} });
    expect(stats.totalReferralPoints).toBe(2000);
  });

  test("a repeated claim of all friends claims those who are left, and reads the list once", async () => {
    const member = await seedChainMember(api.deps);
    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: member.token, userId: member.userId });
    for (let count = 0; count < 3; count += 1) await inviteFriend(api.deps, member.userId, READY);
    let reads = 0;
    pages.override(readReferrals, (request) => {
      reads += 1;
      return api.fetch(request);
    });
    const body = new URLSearchParams({ member: member.userId, intent: "claim-all" });
    expect((await visitor.send("/referrals", { method: "POST", body, headers: REPEATED })).status).toBe(303);
    expect(reads).toBe(1);
    const { stats } = await api.read(readReferrals, { token: member.token, query: {} });
    expect(stats.totalReferralPoints).toBe(3000);
  });
});
