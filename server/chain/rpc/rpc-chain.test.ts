import { hexToString, isAddressEqual, toHex, type Address, type Hex } from "viem";
import { beforeEach, expect, test } from "vitest";
import { accountAt, deployStation } from "../../../tests/support/chain/anvil.ts";
import { describeOnAnvil } from "../../../tests/support/chain/describe-on-anvil.ts";
import { createAccount, createMachineId, seedChainMember } from "../../../tests/support/chain/chain-member.ts";
import { createStationTest } from "../../../tests/support/chain/station-test.ts";
import {
  readMachineIdentity,
  readMachineIdStatus,
  readMachineTimeline,
  readSmartAccount,
  readSmartAccountDeployment,
} from "../../machine-id/contract.ts";
import { decodeDocument } from "../../../tests/support/chain/did-document.ts";

describeOnAnvil("on a chain", (on) => {
  beforeEach(() => on.database.reset());

  const begin = async (options: Parameters<typeof deployStation>[1] = {}) =>
    createStationTest(on.database, on.anvil, { factory: await deployStation(on.anvil, options) });

  test.for([
    ["version 1", {}],
    ["version 2", { version: "2" }],
    ["the older generation", { older: true }],
  ] as const)(
    "a member gets a Smart Account and a Machine ID, read back from the chain: %s",
    async ([, generation]) => {
      const { api, chain, listDeployed, settle } = await begin(generation);
      const member = await seedChainMember(api.deps);
      const { token } = member;

      expect(await createAccount(api, member)).toMatchObject({ status: 200 });
      expect(await api.read(readSmartAccount, { token })).toMatchObject({ status: "pending" });
      await settle();
      const { smartAccount, status } = await api.read(readSmartAccount, { token });
      expect(status).toBe("completed");
      expect((await listDeployed()).map((address) => address.toLowerCase())).toEqual([smartAccount]);

      const { data: deployment } = await api.read(readSmartAccountDeployment, { token });
      expect(deployment).toMatchObject({ contract_addr: smartAccount, gas_station: chain.station.factory });
      const sent = await on.anvil.client.getTransaction({ hash: deployment?.transaction_hash as Hex });
      expect(isAddressEqual(sent.from, deployment?.deployer as Address)).toBe(true);

      expect(await createMachineId(api, member)).toMatchObject({ status: 200 });
      await settle();
      expect(await api.read(readMachineIdStatus, { token })).toEqual({ status: "completed" });
      const { data } = await api.read(readMachineIdentity, { token });
      const record = await chain.readIdentity(smartAccount as Address, toHex(data?.did_name ?? ""));
      const document = decodeDocument(Buffer.from(hexToString(record?.value ?? "0x"), "hex"));
      expect(document.services.at(-1)).toMatchObject({ id: "#owner", data: member.wallet.address });

      const { mode, steps } = await api.read(readMachineTimeline, { token });
      expect(mode).toBe("rpc");
      expect(steps.map(({ step }) => step)).toEqual(["queued", "deployed", "signed", "registered"]);
      for (const { explorerUrl, hash } of steps.filter(({ hash }) => hash)) {
        expect(explorerUrl).toBe(`https://peaq.subscan.io/tx/${hash}`);
      }
    },
  );

  test("a Smart Account is completed with the seventh block, and not before", async () => {
    const { advance, api, readJobs } = await begin();
    const member = await seedChainMember(api.deps);
    const { token } = member;
    await createAccount(api, member);
    await advance();

    for (let blocks = 1; blocks <= 6; blocks += 1) {
      await on.anvil.client.mine({ blocks: 1 });
      await advance();
      expect(await readJobs()).toMatchObject([{ state: "mined" }]);
      expect(await api.read(readSmartAccount, { token })).toMatchObject({ status: "pending" });
    }
    expect(await api.read(readSmartAccountDeployment, { token })).toMatchObject({ data: null });
    await on.anvil.client.mine({ blocks: 1 });
    await advance();
    expect(await api.read(readSmartAccount, { token })).toMatchObject({ status: "completed" });
  });

  test("twenty concurrent members get twenty accounts, and no nonce is skipped", async () => {
    const { api, listDeployed, readJobs, settle } = await begin();
    const members = await Promise.all(Array.from({ length: 20 }, () => seedChainMember(api.deps)));
    const first = await on.anvil.client.getTransactionCount({ address: accountAt(2).address });

    const answers = await Promise.all(members.map((member) => createAccount(api, member)));
    expect(answers.map(({ status }) => status)).toEqual(members.map(() => 200));
    await settle();

    expect(new Set(await listDeployed()).size).toBe(20);
    const jobs = await readJobs();
    expect(jobs.map(({ state }) => state)).toEqual(jobs.map(() => "completed"));
    const nonces = jobs.map(({ senderNonce }) => senderNonce ?? -1).sort((a, b) => a - b);
    expect(nonces).toEqual(Array.from({ length: 20 }, (_, index) => first + index));
    expect(isAddressEqual(jobs[0]?.sender as Address, accountAt(2).address)).toBe(true);
  });
});
