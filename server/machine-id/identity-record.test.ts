import { decodeFunctionData, stringToHex, type Hex } from "viem";
import { expect, test } from "vitest";
import { createAccount, createMachineId, seedChainMember } from "../../tests/support/chain/chain-member.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { identityAbi } from "../chain/abi.ts";
import * as contract from "./contract.ts";

const { api, clock } = await openTestApi();

// specification: 1.7, 7.36, 7.40
test("the consent to a Smart Account names its owner and a nonce, for the factory on the identity network", async () => {
  const { token, wallet } = await seedChainMember(api.deps);
  const { typedData } = await api.read(contract.readSmartAccountConsent, { token });
  expect(typedData).toMatchObject({
    primaryType: "DeployMachineSmartAccount",
    domain: { chainId: 3338, verifyingContract: expect.stringMatching(/^0x[\da-fA-F]{40}$/) },
    message: { machineOwner: wallet.address.toLowerCase(), nonce: String(clock.now().getTime()) },
  });
  expect(typedData.types.DeployMachineSmartAccount?.map(({ name }) => name)).toEqual(["machineOwner", "nonce"]);
});

// specification: 7.34, 7.41
test("the consent to a Machine ID is a call on the machine's own contract", async () => {
  const member = await seedChainMember(api.deps);
  await createAccount(api, member);
  await api.deps.chain.advance();
  const { data } = await api.read(contract.requestMachineId, { token: member.token });
  const { calldata, machineAddress, nonce, target } = data;
  expect(data.typedData).toMatchObject({
    primaryType: "Execute",
    domain: { chainId: 3338, verifyingContract: machineAddress },
    message: { target, data: calldata, nonce },
  });
  expect(data.typedData?.types.Execute?.map(({ name }) => name)).toEqual(["target", "data", "nonce"]);
});

test("what the owner signs adds the machine's record to the network's register, without an end", async () => {
  const member = await seedChainMember(api.deps);
  await createAccount(api, member);
  await api.deps.chain.advance();
  const { data } = await api.read(contract.requestMachineId, { token: member.token });
  const { calldata, machineAddress, target } = data;
  expect(target).toBe("0x0000000000000000000000000000000000000800");
  expect(calldata).toMatch(/^0xcc4a70ca/);
  const name = stringToHex(`did:peaq:${machineAddress}#nodebeat`);
  expect(decodeFunctionData({ abi: identityAbi, data: calldata as Hex })).toEqual({
    functionName: "addAttribute",
    args: [machineAddress, name, expect.stringMatching(/^0x/), 0],
  });
});

// specification: 3.52
test("the deployment record of a Smart Account exists once it is completed, only for its member", async () => {
  const member = await seedChainMember(api.deps);
  const { token: stranger } = await seedChainMember(api.deps);
  const none = { success: true, message: "Smart Account not available", data: null };
  await createAccount(api, member);
  expect(await api.read(contract.readSmartAccountDeployment, { token: member.token })).toEqual(none);
  clock.advance(1000);
  await api.deps.chain.advance();

  const { smartAccount } = await api.read(contract.readSmartAccount, { token: member.token });
  expect(await api.read(contract.readSmartAccountDeployment, { token: member.token })).toEqual({
    success: true,
    message: "",
    data: {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      profile_id: member.userId,
      contract_addr: smartAccount,
      transaction_hash: expect.stringMatching(/^embedded:/),
      deployer: api.deps.chain.station.admin,
      gas_station: api.deps.chain.station.factory,
      creation_time: clock.now().toISOString(),
    },
  });
  expect(await api.read(contract.readSmartAccountDeployment, { token: stranger })).toEqual(none);
});

// specification: 3.51, 7.32
test("the record of a Machine ID has ten fields, all of them strings", async () => {
  const member = await seedChainMember(api.deps);
  await createAccount(api, member);
  await api.deps.chain.advance();
  await createMachineId(api, member);
  await api.deps.chain.advance();
  const { data } = await api.read(contract.readMachineIdentity, { token: member.token });
  const record = Object.fromEntries(Object.entries(data ?? {}).map(([name, value]) => [name, typeof value]));
  expect(record).toEqual(
    Object.fromEntries(
      [
        "did_name",
        "public_address",
        "private_relay_email",
        "email_signature",
        "depinpair_signature",
        "profile_id",
        "block_hash",
        "onboarding_tag",
        "created_at",
        "owner",
      ].map((name) => [name, "string"]),
    ),
  );
});
