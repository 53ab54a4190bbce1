import { hexToString, toHex } from "viem";
import { expect, test } from "vitest";
import { TEST_PASSWORD } from "../../tests/support/api/api.ts";
import {
  createAccount,
  createMachineId,
  seedChainMember,
  signAsWallet,
} from "../../tests/support/chain/chain-member.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { requestEmailChange, verifyEmailChange } from "../email-change/contract.ts";
import { readUser } from "../profile/contract.ts";
import * as contract from "./contract.ts";
import { decodeDocument } from "../../tests/support/chain/did-document.ts";

const { api, clock, mailbox } = await openTestApi();
const { chain } = api.deps;

// specification: 0.3, 1.7, 3.5, 3.53, 3.54, 4.30, 4.38, 5.18, 7.24, 7.31, 7.33, 7.35, 7.48, 9.1
test("a member with a wallet and 100 heartbeats gets a Smart Account and a Machine ID", async () => {
  const member = await seedChainMember(api.deps);
  const { token, wallet } = member;
  expect(await api.read(contract.readSmartIdRequirements, { token })).toEqual({
    wallet: true,
    heartbeats: true,
    requirementsMet: true,
    currentHeartbeats: 100,
    existingSmartAccount: false,
    status: "not_found",
  });
  const none = { success: true, smartAccount: null, message: "", status: "not_found", createdAt: null };
  expect(await api.read(contract.readSmartAccount, { token })).toEqual(none);
  const requirements = () => api.read(contract.readSmartIdRequirements, { token });

  expect(await createAccount(api, member)).toMatchObject({
    status: 200,
    body: { success: true, message: "Smart Account creation queued", status: "pending" },
  });
  const queued = { message: "Smart Account creation queued", status: "pending", smartAccount: null };
  expect(await api.read(contract.readSmartAccount, { token })).toMatchObject(queued);
  expect(await requirements()).toMatchObject({ existingSmartAccount: true, status: "pending" });

  clock.advance(1000);
  await chain.advance();
  const account = await api.read(contract.readSmartAccount, { token });
  expect(account).toMatchObject({ status: "completed", smartAccount: expect.stringMatching(/^0x[0-9a-f]{40}$/) });
  expect(account.message).toBe("Your Smart Account is ready.");
  expect(account.createdAt).toBe(clock.now().toISOString());
  expect(await requirements()).toMatchObject({ existingSmartAccount: true, status: "completed" });
  expect(await api.read(contract.readMachineIdStatus, { token })).toEqual({ status: null });

  const asked = await api.read(contract.requestMachineId, { token });
  expect(await api.read(contract.readMachineIdStatus, { token })).toEqual({ status: "waiting_for_signature" });
  expect(await api.read(contract.requestMachineId, { token })).toEqual(asked);

  clock.advance(1000);
  expect(await createMachineId(api, member)).toMatchObject({ status: 200, body: { data: { status: "pending" } } });
  expect(await api.read(contract.readMachineIdStatus, { token })).toEqual({ status: "pending" });
  const noRecord = { success: true, message: "Machine ID not available", data: null };
  expect(await api.read(contract.readMachineIdentity, { token })).toEqual(noRecord);
  expect(await api.read(readUser, { token })).toMatchObject({ hasMachineId: false });
  clock.advance(1000);
  await chain.advance();
  expect(await api.read(contract.readMachineIdStatus, { token })).toEqual({ status: "completed" });
  expect(await api.read(readUser, { token })).toMatchObject({ hasMachineId: true });

  const { data } = await api.read(contract.readMachineIdentity, { token });
  const machine = asked.data.machineAddress;
  expect(data).toMatchObject({
    did_name: `did:peaq:${machine}#nodebeat`,
    public_address: machine,
    private_relay_email: "",
    depinpair_signature: await signAsWallet(wallet, contract.ExecuteTypedData.parse(asked.data.typedData)),
    onboarding_tag: "nodebeat",
    profile_id: member.userId,
    owner: wallet.address,
    created_at: clock.now().toISOString(),
  });
  const record = await chain.readIdentity(machine as `0x${string}`, toHex(data?.did_name ?? ""));
  const document = decodeDocument(Buffer.from(hexToString(record?.value ?? "0x"), "hex"));
  expect(document.services.map(({ data, id }) => [id, data])).toEqual([
    ["#emailSignature", data?.email_signature],
    ["#owner", wallet.address],
  ]);
  const addresses = [machine, wallet.address, chain.station.admin];
  const [id, controller, issuer] = addresses.map((address) => `did:peaq:${address}`);
  expect(document).toMatchObject({
    id,
    controller,
    verificationMethods: [{ id: `${id}#keys-1`, controller, publicKeyMultibase: wallet.address }],
    signature: { issuer, hash: data?.email_signature },
    authentications: [`${id}#keys-1`],
  });
});

test("the timeline lists what has happened, without explorer links if there is no chain", async () => {
  const member = await seedChainMember(api.deps);
  await createAccount(api, member);
  clock.advance(1000);
  await chain.advance();
  clock.advance(1000);
  await createMachineId(api, member);
  clock.advance(1000);
  await chain.advance();

  const { mode, steps } = await api.read(contract.readMachineTimeline, { token: member.token });

  expect(mode).toBe("embedded");
  expect(steps.map(({ step, subject }) => `${subject} ${step}`)).toEqual([
    "smart-account queued",
    "smart-account deployed",
    "machine-id signed",
    "machine-id registered",
  ]);
  for (const { explorerUrl } of steps) expect(explorerUrl).toBeNull();
  for (const { hash } of steps) expect(hash ?? "embedded:").toMatch(/^embedded:/);
  // Only finished steps show what was put on the network.
  expect(steps.map(({ hash }) => hash !== null)).toEqual([false, true, false, true]);
});

// specification: 1.7, 5.18, 9.1
test.for([
  ["a wallet", { wallet: null }, "Link a wallet first."],
  ["100 heartbeats", { heartbeats: 99 }, "A Smart Account needs 100 heartbeats. You have 99."],
] as const)("without %s there is nothing to sign", async ([, seed, message]) => {
  const { token } = await seedChainMember(api.deps, seed);
  const refusal = { status: 422, body: { error: "REQUIREMENTS_NOT_MET", message } };
  expect(await api.call(contract.readSmartAccountConsent, { token })).toMatchObject(refusal);
  expect(await api.read(contract.readSmartIdRequirements, { token })).toMatchObject({
    wallet: !("wallet" in seed),
    heartbeats: !("heartbeats" in seed),
    requirementsMet: false,
  });
});

test("only one of several concurrent requests creates a Smart Account", async () => {
  const { token, wallet } = await seedChainMember(api.deps);
  // Each of them gets something to sign before the first one hands it in.
  const read = () => api.read(contract.readSmartAccountConsent, { token });
  const consents = [await read(), await read(), await read()];
  const signatures = await Promise.all(consents.map(({ typedData }) => signAsWallet(wallet, typedData)));
  const answers = await Promise.all(
    consents.map(({ typedData: { message } }, index) =>
      api.call(contract.createSmartAccount, { token, body: { ...message, signature: signatures[index] } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);

  expect(await api.call(contract.readSmartAccountConsent, { token })).toMatchObject({ status: 409 });
});

test("a consent expires after five minutes and cannot be dated ahead", async () => {
  const { token, wallet } = await seedChainMember(api.deps);
  const { typedData } = await api.read(contract.readSmartAccountConsent, { token });
  const body = { ...typedData.message, signature: await signAsWallet(wallet, typedData) };
  const refused = {
    status: 410,
    body: { error: "EXPIRED", message: "This request is too old. Please sign again." },
  };
  // A consent that somebody dated ahead, to use it later, is refused as well.
  const nonce = String(clock.now().getTime() + 5 * 60 * 1000 + 1);
  const ahead = { ...typedData, message: { ...typedData.message, nonce } };
  const early = { ...ahead.message, signature: await signAsWallet(wallet, ahead) };
  expect(await api.call(contract.createSmartAccount, { token, body: early })).toMatchObject({
    status: 410,
    body: { error: "EXPIRED", message: expect.stringContaining("Check the clock of your device") },
  });
  clock.advance(5 * 60 * 1000 + 1);
  expect(await api.call(contract.createSmartAccount, { token, body })).toMatchObject(refused);
  clock.advance(-1);
  expect(await api.call(contract.createSmartAccount, { token, body })).toMatchObject({ status: 200 });
});

test("a member cannot create a Smart Account for another member's wallet", async () => {
  const [ada, bob] = [await seedChainMember(api.deps), await seedChainMember(api.deps)];
  const { typedData } = await api.read(contract.readSmartAccountConsent, { token: ada.token });
  const signature = await signAsWallet(ada.wallet, typedData);
  const body = { ...typedData.message, signature };
  expect(await api.call(contract.createSmartAccount, { token: bob.token, body })).toMatchObject({
    status: 422,
    // As for a member who has since changed the wallet in another tab.
    body: {
      error: "BAD_SIGNATURE",
      message: "You signed with a different wallet from the one you linked. Connect your linked wallet and sign again.",
    },
  });
});

// specification: 5.10
test("a Machine ID needs a Smart Account, a request and the owner's signature, in this order", async () => {
  const member = await seedChainMember(api.deps);
  const stranger = await seedChainMember(api.deps);
  const { token } = member;
  const notMet = { status: 422, body: { error: "REQUIREMENTS_NOT_MET" } };
  expect(await api.call(contract.requestMachineId, { token })).toMatchObject(notMet);
  await createAccount(api, member);
  expect(await api.call(contract.requestMachineId, { token })).toMatchObject(notMet);
  await chain.advance();
  const sign = (machineOwnerSignature: string) =>
    api.call(contract.updateMachineIdSignature, { token, body: { machineOwnerSignature } });
  expect(await sign("0x00")).toMatchObject(notMet);

  const { data } = await api.read(contract.requestMachineId, { token });
  const typedData = contract.ExecuteTypedData.parse(data.typedData);
  expect(await sign(await signAsWallet(stranger.wallet, typedData))).toMatchObject({ status: 422 });
  expect(await sign("")).toMatchObject({ status: 400, body: { message: "Signature is required" } });

  const signature = await signAsWallet(member.wallet, typedData);
  expect(await sign(signature)).toMatchObject({ status: 200 });
  expect(await sign(signature)).toMatchObject({ status: 409 });
  expect(await api.call(contract.requestMachineId, { token })).toMatchObject({ status: 409 });
});

test("a Machine ID request made before an email change is void and must be made again", async () => {
  const member = await seedChainMember(api.deps);
  const { token } = member;
  await createAccount(api, member);
  await chain.advance();
  const { data: asked } = await api.read(contract.requestMachineId, { token });

  const email = "ada@elsewhere.test";
  await api.read(requestEmailChange, { token, body: { email, password: TEST_PASSWORD } });
  const { code: verificationCode = "" } = await mailbox.read(email);
  await api.read(verifyEmailChange, { token, body: { verificationCode } });
  expect(await api.read(contract.readMachineIdStatus, { token })).toEqual({ status: null });
  const { data } = await api.read(contract.requestMachineId, { token });
  expect(data.nonce).not.toBe(asked.nonce);

  const former = await signAsWallet(member.wallet, contract.ExecuteTypedData.parse(asked.typedData));
  const sign = (machineOwnerSignature: string) =>
    api.call(contract.updateMachineIdSignature, { token, body: { machineOwnerSignature } });
  expect(await sign(former)).toMatchObject({ status: 422, body: { error: "BAD_SIGNATURE" } });
  const signature = await signAsWallet(member.wallet, contract.ExecuteTypedData.parse(data.typedData));
  expect(await sign(signature)).toMatchObject({ status: 200 });
});
