import { expect, test } from "vitest";
import { createTestApi, NO_CLIENT, seedMember } from "../../tests/support/api/api.ts";
import { newWallet } from "../../tests/support/chain/new-wallet.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { submit } from "../chain/submit.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { readUser } from "../profile/contract.ts";
import { readSecurityActivity } from "../security-activity/contract.ts";
import { startSession } from "../sessions/service.ts";
import {
  changeWallet,
  detectWallet,
  linkWallet,
  readWalletChangeEligibility,
  readWalletMessage,
  type WalletPurpose,
} from "./contract.ts";

const { api, clock, database } = await openTestApi();

const MINUTE = 60_000;

type TestWallet = ReturnType<typeof newWallet>;

const ask = (token: string, wallet: Pick<TestWallet, "address">, purpose: WalletPurpose = "link") =>
  api.read(readWalletMessage, { token, query: { address: wallet.address, purpose, origin: "http://localhost:3000" } });

async function sign(token: string, wallet: TestWallet, purpose: WalletPurpose = "link") {
  const { message } = await ask(token, wallet, purpose);
  return { address: wallet.address as string, message, signature: await wallet.signMessage({ message }) };
}

const link = (token: string, body: unknown) => api.call(linkWallet, { token, body });
const change = (token: string, body: unknown) => api.call(changeWallet, { token, body });
const walletOf = async (token: string) => (await api.read(readUser, { token })).wallet;

async function seedLinked() {
  const wallet = newWallet();
  const member = await seedMember(api.deps);
  expect(await link(member.token, await sign(member.token, wallet))).toMatchObject({ status: 200 });
  return { ...member, wallet };
}

async function startDeployment(userId: string, { address }: TestWallet) {
  const consent = { userId, owner: address, nonce: "1795183200000", signature: "0x" };
  const asked = { digest: `0x${"1".repeat(64)}`, at: api.deps.now() } as const;
  await inTransaction(api.deps.db, (tx) => submit(tx, consent, asked));
}

// specification: 7.37, 7.38
test("the message to sign says that the link is permanent and possible once, for which site and until when", async () => {
  const { token } = await seedMember(api.deps);
  const wallet = newWallet();
  const { message, nonce, expiresAt } = await ask(token, wallet);
  expect(message.split("\n")).toEqual([
    "localhost:3000 wants you to sign in with your Ethereum account:",
    wallet.address,
    "",
    "This permanently links this wallet to your Nodebeat account and can be done only once.",
    "",
    "URI: http://localhost:3000",
    "Version: 1",
    "Chain ID: 3338",
    `Nonce: ${nonce}`,
    "Issued At: 2026-11-20T12:00:00.000Z",
    "Expiration Time: 2026-11-20T12:05:00.000Z",
  ]);
  expect(expiresAt).toBe("2026-11-20T12:05:00.000Z");
  expect((await ask(token, wallet, "change")).message).toContain("Warning: the change can be done only once.");
});

// specification: 1.6, 4.29, 6.7, 7.25
test("a wallet is linked once, stored in checksum case, and recorded in the security activity", async () => {
  const { token } = await seedMember(api.deps);
  const wallet = newWallet();
  const signed = await sign(token, wallet);

  const answer = await link(token, { ...signed, address: wallet.address.toLowerCase() });

  expect(answer).toMatchObject({
    status: 200,
    body: { success: true, message: "Wallet linked successfully!", user: { wallet: wallet.address } },
  });
  expect(await walletOf(token)).toBe(wallet.address);
  const { events } = await api.read(readSecurityActivity, { token });
  expect(events.map(({ kind }) => kind)).toContain("wallet-linked");

  expect(await link(token, await sign(token, newWallet()))).toMatchObject({
    status: 409,
    body: { message: "Your account already has a linked wallet. You can link a wallet only once." },
  });
  expect(await walletOf(token)).toBe(wallet.address);
});

test("refuses a wallet of another account, even if both accounts link it concurrently", async () => {
  const { wallet } = await seedLinked();
  const { token } = await seedMember(api.deps);
  const taken = { status: 409, body: { message: "This wallet is linked to another account. Use another wallet." } };
  expect(await link(token, await sign(token, wallet))).toMatchObject(taken);
  const digits = wallet.address.slice(2);
  for (const spelled of [digits.toLowerCase(), digits.toUpperCase()])
    expect(await link(token, { ...(await sign(token, wallet)), address: `0x${spelled}` })).toMatchObject(taken);

  const other = newWallet();
  const rivals = await Promise.all([seedMember(api.deps), seedMember(api.deps)]);
  const signed = await Promise.all(rivals.map(async ({ token }) => ({ token, body: await sign(token, other) })));
  const answers = await Promise.all(signed.map((each) => link(each.token, each.body)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
});

test("only one of two wallets that an account links concurrently is linked", async () => {
  const { token } = await seedMember(api.deps);
  const wallets = [newWallet(), newWallet()];
  const signed = await Promise.all(wallets.map((wallet) => sign(token, wallet)));
  const answers = await Promise.all(signed.map((body) => link(token, body)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  const won = answers.findIndex(({ status }) => status === 200);
  expect(await walletOf(token)).toBe(wallets[won]?.address);
});

test("a signature expires after five minutes and can be used only once", async () => {
  const { token } = await seedMember(api.deps);
  const late = await sign(token, newWallet());
  clock.advance(5 * MINUTE);
  expect(await link(token, late)).toMatchObject({
    status: 410,
    body: {
      error: "EXPIRED",
      message: "The message was signed too late: it is good for 5 minutes. Please start again.",
    },
  });

  const wallet = newWallet();
  const body = await sign(token, wallet);
  clock.advance(5 * MINUTE - 1);
  expect(await link(token, body)).toMatchObject({ status: 200 });
  clock.advance(-MINUTE);
  expect(await link(token, body)).toMatchObject({ status: 410, body: { error: "ALREADY_USED" } });
  // A process whose clock is behind may still accept it.
  clock.advance(2 * MINUTE + 1);
  expect(await pruneExpired(api.deps)).toMatchObject({ walletNonces: 0 });
  clock.advance(1);
  expect(await pruneExpired(api.deps)).toMatchObject({ walletNonces: 1 });
});

test("refuses a contract with a clear message, before checking its signature", async () => {
  const { token } = await seedMember(api.deps);
  const wallet = newWallet();
  const onChain = createTestApi(database, {
    now: clock.now,
    chain: { ...api.deps.chain, hasCode: async (address) => address === wallet.address },
  });
  const body = { ...(await sign(token, wallet)), signature: `0x${"ab".repeat(200)}` };
  const refused = { status: 400, body: { message: expect.stringContaining("This is a contract wallet.") } };
  expect(await onChain.call(linkWallet, { token, body })).toMatchObject(refused);
  // A contract on another network has no code here, and its signature is longer than a key's.
  expect(await link(token, body)).toMatchObject(refused);
  expect(await onChain.read(detectWallet, { token, query: { address: wallet.address.toLowerCase() } })).toEqual({
    address: wallet.address,
    linked: false,
    contract: true,
  });
});

test("an unreachable network is not reported as a wrong signature, and the nonce stays valid", async () => {
  const { token } = await seedMember(api.deps);
  const message = "The network cannot be reached right now.";
  const cutOff = createTestApi(database, {
    now: clock.now,
    chain: {
      ...api.deps.chain,
      hasCode: () => Promise.reject(new AppError("UNAVAILABLE", message, { retryAfter: 5 })),
    },
  });
  const wallet = newWallet();
  const body = await sign(token, wallet);
  for (const each of [body, { ...body, signature: "0xabcd" }]) {
    expect(await cutOff.call(linkWallet, { token, body: each })).toMatchObject({ status: 503, body: { message } });
  }
  expect(await cutOff.call(detectWallet, { token, query: { address: wallet.address } })).toMatchObject({ status: 503 });
  expect(await link(token, body)).toMatchObject({ status: 200 });
});

// specification: 0.3, 1.6, 4.29, 6.7, 6.8, 7.26, 7.27
test("the linked wallet can be changed once, and the eligibility says why not otherwise", async () => {
  const { token: newcomer } = await seedMember(api.deps);
  expect(await api.read(readWalletChangeEligibility, { token: newcomer })).toEqual({
    eligible: false,
    reason: "not-linked",
    message: "There is no linked wallet to change yet.",
  });
  expect(await change(newcomer, await sign(newcomer, newWallet(), "change"))).toMatchObject({
    status: 409,
    body: { message: "There is no linked wallet to change yet." },
  });

  const { token, wallet } = await seedLinked();
  const can = { eligible: true, reason: null, message: "The wallet can be changed once." };
  expect(await api.read(readWalletChangeEligibility, { token })).toEqual(can);
  expect(await change(token, await sign(token, wallet, "change"))).toMatchObject({
    status: 409,
    body: { message: "This wallet is already linked to your account. Choose another account in your wallet." },
  });
  const other = newWallet();
  expect(await change(token, await sign(token, other, "change"))).toMatchObject({
    status: 200,
    body: { success: true, message: "Wallet changed successfully!" },
  });
  expect(await walletOf(token)).toBe(other.address);
  const { events } = await api.read(readSecurityActivity, { token });
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["wallet-linked", "wallet-changed"]));

  const message = "You have already changed your wallet. You can change it only once.";
  expect(await api.read(readWalletChangeEligibility, { token })).toEqual({
    eligible: false,
    reason: "already-changed",
    message,
  });
  expect(await change(token, await sign(token, newWallet(), "change"))).toMatchObject({
    status: 409,
    body: { message },
  });

  // The first wallet is free again. This one is not.
  expect(await link(newcomer, await sign(newcomer, other))).toMatchObject({ status: 409 });
  expect(await link(newcomer, await sign(newcomer, wallet))).toMatchObject({ status: 200 });
});

test("only one of two concurrent wallet changes succeeds", async () => {
  const { token } = await seedLinked();
  const wallets = [newWallet(), newWallet()];
  const signed = await Promise.all(wallets.map((wallet) => sign(token, wallet, "change")));
  const answers = await Promise.all(signed.map((body) => change(token, body)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
});

test("refuses a wallet change, with the reason, once the deployment of a Smart Account has started", async () => {
  const { token, user, wallet } = await seedLinked();
  const signed = await sign(token, newWallet(), "change");
  await startDeployment(user.id, wallet);
  const message = "Your Smart Account belongs to the linked wallet for good, so the wallet can no longer be changed.";
  expect(await change(token, signed)).toMatchObject({ status: 409, body: { message } });
  expect(await api.read(readWalletChangeEligibility, { token })).toEqual({
    eligible: false,
    reason: "smart-account-started",
    message,
  });
  expect(await walletOf(token)).toBe(wallet.address);
});

// specification: 7.47
test("does not reveal that an address is linked to another member", async () => {
  const { token, wallet } = await seedLinked();
  const { token: stranger } = await seedMember(api.deps);
  const detect = (as: string, { address }: { address: string }) =>
    api.read(detectWallet, { token: as, query: { address } });
  expect(await detect(token, wallet)).toMatchObject({ linked: true, contract: false });
  // Another member's wallet looks like nobody's.
  const free = newWallet();
  expect(await detect(stranger, wallet)).toEqual({ ...(await detect(stranger, free)), address: wallet.address });
});

test("a message is valid only for the session that requested it and at the configured address", async () => {
  const { token, user } = await seedMember(api.deps);
  const { token: other } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  const wallet = newWallet();
  const body = await sign(token, wallet);
  expect(await link(other, body)).toMatchObject({ status: 400 });

  // In production the address is the configured one, whatever the caller asks for.
  const publicUrl = "https://nodebeat.example";
  const production = createTestApi(database, { now: clock.now, env: { publicUrl } });
  expect(await production.call(linkWallet, { token, body })).toMatchObject({ status: 400 });
  const { message } = await production.read(readWalletMessage, {
    token,
    query: { address: wallet.address, purpose: "link", origin: "https://phishing.example" },
  });
  expect(message).toMatch(/^nodebeat\.example wants you/);
  const signature = await wallet.signMessage({ message });
  const proof = { address: wallet.address, message, signature };
  expect(await production.call(linkWallet, { token, body: proof })).toMatchObject({ status: 200 });
});
