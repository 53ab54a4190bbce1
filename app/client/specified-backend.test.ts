import { expect, onTestFinished, test, vi } from "vitest";
import type { DeployTypedData, ExecuteTypedData } from "../../server/machine-id/contract.ts";
import { newWallet } from "../../tests/support/chain/new-wallet.ts";
import { AUTH_API_KEY, createSpecifiedBackend } from "../../tests/support/specified-backend/calls.ts";
import type { NewMember } from "../../tests/support/specified-backend/members.ts";
import { FACTORY } from "../../tests/support/specified-backend/wallets.ts";
import { createMissingCalls } from "../api/missing-calls.ts";
import type { Transport } from "../api/transport.ts";
import { createApiClient } from "./client.ts";

/* Tests the client on a backend that has only the calls of the specification. */

const ORIGIN = "https://nodebeat.test";

type Fetch = (request: Request) => Response | Promise<Response>;

/** Creates a transport that calls without a socket. */
function carry(fetch: Fetch, headers = {}): Transport {
  const carried = async (request: Request) => fetch(request);
  return { baseUrl: "http://backend.test", headers, fetch: carried, fetchStream: carried };
}

/** Adds a member to such a backend. Opens clients in their name: one for each request, as the pages have them. */
function openFor(known: NewMember = {}) {
  const backend = createSpecifiedBackend();
  const member = backend.add(known);
  const accessToken = backend.begin(member);
  const missing = createMissingCalls();
  const log = { error: vi.fn<(details: object, message: string) => void>() };
  const own = vi.fn<Fetch>(async () => Response.json({ title: "Terms of this installation" }));
  const open = (installation: { siteKey?: string; factory?: string | undefined } = {}) => {
    const { factory = FACTORY, siteKey } = installation;
    const contracts = { factory: "factory" in installation ? installation.factory : factory, version: "1" };
    return createApiClient({
      main: carry(backend.main.fetch),
      auth: carry(backend.auth.fetch, { "x-api-key": AUTH_API_KEY }),
      own: carry(own),
      accessToken,
      log,
      missing,
      installation: { origin: ORIGIN, siteKey, contracts },
    });
  };
  const countAsked = (call: string) => backend.asked.filter((each) => each === call).length;
  return { backend, countAsked, log, member, open, own };
}

/** Signs what the pages hand to a wallet, as the wallet does. */
const sign = (wallet: ReturnType<typeof newWallet>, typedData: DeployTypedData | ExecuteTypedData) =>
  wallet.signTypedData(typedData as Parameters<typeof wallet.signTypedData>[0]);

test("if the backend has no bot check, sign-in uses our site key or an unchecked token, and asks once", async () => {
  const { countAsked, member, open } = openFor();
  expect(await open({ siteKey: "site" }).auth.issueBotCheck()).toEqual({ turnstileToken: "", siteKey: "site" });
  const { turnstileToken } = await open().auth.issueBotCheck();
  expect(countAsked("GET /api/auth/bot-check")).toBe(1);

  const { email, password } = member;
  const { access_token, user } = await open().auth.login({ email, password, turnstileToken });
  expect([access_token, user.id]).toEqual([expect.stringMatching(/^token-/), member.id]);
  await expect(open().auth.login({ email, password: "not that one", turnstileToken })).rejects.toMatchObject({
    status: 401,
    code: "INVALID_CREDENTIALS",
  });
});

test("links a wallet once and changes it once, with messages that the client writes", async () => {
  const { backend, member, open } = openFor();
  const [first, second] = [newWallet(), newWallet()];
  const { message } = await open().wallet.message({ address: first.address.toLowerCase(), purpose: "link" });
  expect(message).toContain("nodebeat.test wants you to sign in with your Ethereum account:\n" + first.address);
  expect(message).toContain("permanently links this wallet to your Nodebeat account and can be done only once.");

  const forged = { address: first.address, message, signature: await second.signMessage({ message }) };
  await expect(open().wallet.link(forged)).rejects.toMatchObject({ code: "BAD_SIGNATURE" });
  const linked = { address: first.address, message, signature: await first.signMessage({ message }) };
  expect(await open().wallet.link(linked)).toMatchObject({ success: true, user: { wallet: first.address } });
  await expect(open().wallet.link(linked)).rejects.toMatchObject({ status: 409 });

  expect(await open().wallet.changeEligibility()).toMatchObject({ eligible: true });
  const change = await open().wallet.message({ address: second.address, purpose: "change" });
  expect(change.message).toContain("Warning: the change can be done only once.");
  const signature = await second.signMessage({ message: change.message });
  await open().wallet.change({ address: second.address, message: change.message, signature });
  expect(member.wallet).toBe(second.address);
  await expect(open().wallet.changeEligibility()).rejects.toMatchObject({ message: "The wallet was changed already." });
  expect(backend.asked.filter((call) => call.startsWith("GET /api/wallet/"))).toHaveLength(1);
});

test("writes a wallet message only for a valid address and purpose", async () => {
  const { open } = openFor();
  for (const query of [{ address: "0x12" }, { purpose: "sell" as "link" }]) {
    const asked = { address: newWallet().address, purpose: "link" as const, ...query };
    await expect(open().wallet.message(asked)).rejects.toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  }
});

test("builds the data that the owner signs for a Smart Account and a Machine ID", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T12:00:00.000Z") });
  onTestFinished(() => void vi.useRealTimers());
  const wallet = newWallet();
  const { backend, log, member, open } = openFor({ wallet: wallet.address, heartbeats: 100 });
  const machineOwner = wallet.address.toLowerCase();

  const { typedData } = await open().machineId.smartAccountConsent();
  expect(typedData).toMatchObject({
    domain: { chainId: 3338, verifyingContract: FACTORY },
    message: { machineOwner, nonce: "1795176000000" },
  });
  const consent = { machineOwner, nonce: typedData.message.nonce, signature: await sign(wallet, typedData) };
  expect(await open().machineId.createSmartAccount(consent)).toMatchObject({ success: true, status: "pending" });
  backend.settle();

  const { data } = await open().machineId.request();
  if (!data.typedData) throw new Error("There is nothing to sign");
  expect(data.typedData.domain).toMatchObject({ chainId: 3338, verifyingContract: member.account?.address });
  await expect(open().machineId.updateSignature(await sign(newWallet(), data.typedData))).rejects.toMatchObject({
    code: "BAD_SIGNATURE",
  });
  const answer = await open().machineId.updateSignature(await sign(wallet, data.typedData));
  expect(answer.data.status).toBe("pending");
  backend.settle();
  expect((await open().machineId.identity()).data).toMatchObject({ public_address: member.account?.address });
  expect(log.error).not.toHaveBeenCalled();
});

const capitals = (address: string) => address.toUpperCase().replace("0X", "0x") as `0x${string}`;

test("accepts contract addresses in capitals, from a setting or from the backend", async () => {
  const wallet = newWallet();
  const { backend, member, open } = openFor({ wallet: wallet.address, heartbeats: 100 });
  const { typedData } = await open({ factory: capitals(FACTORY) }).machineId.smartAccountConsent();
  const { machineOwner, nonce } = typedData.message;
  await open().machineId.createSmartAccount({ machineOwner, nonce, signature: await sign(wallet, typedData) });
  backend.settle();

  if (member.account) member.account.address = capitals(member.account.address);
  const { data } = await open().machineId.request();
  if (!data.typedData) throw new Error("There is nothing to sign");
  expect(await sign(wallet, data.typedData)).toMatch(/^0x/);
});

test("asks for no signature without a factory address or without a linked wallet", async () => {
  const withWallet = openFor({ wallet: newWallet().address });
  await expect(withWallet.open({ factory: undefined }).machineId.smartAccountConsent()).rejects.toMatchObject({
    status: 503,
  });
  await expect(openFor().open().machineId.smartAccountConsent()).rejects.toMatchObject({
    code: "REQUIREMENTS_NOT_MET",
    message: "Link a wallet first.",
  });
});

test("reads legal documents and their versions from this installation", async () => {
  const { open, own } = openFor();
  const { title } = await open().legal.document({ document: "tos" });
  expect(title).toBe("Terms of this installation");
  await open().legal.document({ document: "tos", version: 1 });
  expect(own.mock.calls.map(([{ url }]) => new URL(url).search)).toEqual(["?document=tos", "?document=tos&version=1"]);
  expect(own.mock.calls.map(([{ headers }]) => headers.get("Authorization"))).toEqual([null, null]);
});

test("filters friends by status in the client, and claims them with the general claim call", async () => {
  const { backend, countAsked, log, member, open } = openFor();
  const friends = Array.from({ length: 30 }, (_, index) =>
    backend.add({ invitedBy: member, wallet: `0x${index}`, heartbeats: index % 3 === 0 ? 100 : 1 }),
  );
  const api = open();
  const { pagination, referrals, stats } = await api.referrals.page({ page: 2, limit: 5, status: "Claimable" });
  expect(pagination).toEqual({ limit: 5, page: 2, total: 10, totalPages: 2 });
  expect(referrals.map(({ id }) => id)).toEqual([15, 18, 21, 24, 27].map((index) => friends[index]?.id));
  expect(stats.pendingReferralsAmount).toBe(30);
  await api.referrals.page({ page: 1, limit: 10, status: "Pending" });
  // Each query, and the two pages of all friends, which are read only once.
  expect(countAsked("GET /api/users/referrals-paginated")).toBe(4);

  const id = friends[0]?.id ?? "";
  expect(await open().referrals.claim(id)).toMatchObject({ success: true });
  await expect(open().referrals.claim(id)).rejects.toMatchObject({ status: 409 });
  await expect(open().referrals.claim("nobody")).rejects.toMatchObject({ status: 404 });
  expect(member.entries).toMatchObject([{ category: "Referral", points: 1000 }]);

  // The first page of all friends has nobody else on it.
  const { pagination: claimed } = await open().referrals.page({ page: 1, limit: 1, status: "Success" });
  expect(claimed).toEqual({ limit: 1, page: 1, total: 1, totalPages: 1 });

  // How it writes times is not an error either.
  expect(await open().points.log({ page: 1, limit: 10 })).toMatchObject({ total: 1 });
  expect(log.error).not.toHaveBeenCalled();
});

test.each([400, 422])(
  "filters friends by status in the client even if the backend rejects that parameter: %d",
  async (status) => {
    const { backend, member, open } = openFor();
    const active = backend.add({ invitedBy: member, wallet: "0x1", heartbeats: 100 });
    backend.add({ invitedBy: member });
    const { fetch } = backend.main;
    const body = { message: ["property status should not exist"], error: "Bad Request", statusCode: status };
    backend.main.fetch = (request) =>
      new URL(request.url).searchParams.has("status") ? Response.json(body, { status }) : fetch(request);

    const { pagination, referrals, stats } = await open().referrals.page({ page: 1, limit: 1, status: "Claimable" });
    expect(referrals.map(({ id }) => id)).toEqual([active.id]);
    expect([pagination, stats.pendingReferralsAmount]).toEqual([{ limit: 1, page: 1, total: 1, totalPages: 1 }, 2]);
  },
);

test("calls that only our backend has return nothing, are not repeated, and reject writes as unavailable", async () => {
  const { backend, open } = openFor();
  const lists = () => {
    const { campaignMail, devices, emailChange, insights, machineId, node, points, sessions } = open();
    return Promise.all([
      sessions.list(),
      sessions.activity({ page: 1, limit: 10 }),
      campaignMail.read(),
      emailChange.read(),
      devices.list(),
      node.uptime("last7days"),
      node.refusedBeats(5),
      node.silenceMail(),
      insights.daily(7),
      insights.network(7),
      points.content({ page: 1, limit: 5 }),
      points.rules(),
      machineId.timeline(),
    ]);
  };
  expect(new Set(await lists())).toEqual(new Set([null]));
  expect(await open().nodePass.read()).toMatchObject({ state: "off" });
  expect(await open().rewards.heartbeatStatus()).toBeNull();
  expect(await open().sessions.logout()).toBeNull();
  const before = backend.asked.length;
  expect(new Set(await lists())).toEqual(new Set([null]));
  expect(backend.asked.length).toBe(before);

  const words = { message: "This is not available here.", status: 404, fromServer: true };
  const details = { full_name: "", username: "", discord_username: "", telegram_handle: "", x_handle: "" };
  const profile = { ...details, website: "", avatar_url: "" } as unknown as Parameters<
    ReturnType<typeof open>["users"]["update"]
  >[0];
  await expect(open().users.update(profile)).rejects.toMatchObject(words);
  const password = { currentPassword: "a", password: "another pass phrase" };
  await expect(open().sessions.changePassword(password)).rejects.toMatchObject(words);
  const { signal } = new AbortController();
  await expect(open().events.open({ lastEventId: null, signal })).rejects.toMatchObject({ status: 404 });
});
