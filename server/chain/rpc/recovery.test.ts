import { isHex, keccak256, stringToHex, type Hex } from "viem";
import { beforeEach, expect, test } from "vitest";
import { accountAt, deployStation } from "../../../tests/support/chain/anvil.ts";
import { describeOnAnvil } from "../../../tests/support/chain/describe-on-anvil.ts";
import { createAccount, createMachineId, seedChainMember } from "../../../tests/support/chain/chain-member.ts";
import { startTcpProxy } from "../../../tests/support/servers/tcp-proxy.ts";
import { createStationTest } from "../../../tests/support/chain/station-test.ts";
import {
  readMachineIdStatus,
  readMachineTimeline,
  readSmartAccount,
  readSmartAccountConsent,
  requestMachineId,
} from "../../machine-id/contract.ts";

describeOnAnvil("when the chain changes or fails", (on) => {
  beforeEach(() => on.database.reset());

  async function begin(rpcUrl?: string) {
    const factory = await deployStation(on.anvil);
    const station = createStationTest(on.database, on.anvil, { factory, ...(rpcUrl && { rpcUrl }) });
    const member = await seedChainMember(station.api.deps);
    const readAccount = () => station.api.read(readSmartAccount, { token: member.token });
    const readJob = async () => (await station.readJobs()).at(-1);
    return { ...station, factory, member, readAccount, readJob };
  }

  const mine = (blocks: number) => on.anvil.client.mine({ blocks });
  const manager = accountAt(2);
  const countSent = () => on.anvil.client.getTransactionCount({ address: manager.address });
  const reorganise = (depth: number) =>
    on.anvil.client.request({ method: "anvil_reorg" as "anvil_mine", params: [depth, []] as never });

  test("a job that a reorganisation undoes is pending again and then completed, even if it was completed", async () => {
    const { advance, api, listDeployed, member, readAccount, readJob, settle } = await begin();
    await createAccount(api, member);
    await advance();
    await mine(1);
    await advance();
    expect(await readJob()).toMatchObject({ state: "mined" });

    await reorganise(1);
    await advance();
    expect(await readJob()).toMatchObject({ state: "sent", blockHash: null });
    expect(await readAccount()).toMatchObject({ status: "pending" });
    await settle();
    expect(await readAccount()).toMatchObject({ status: "completed" });

    await reorganise(12);
    for (const _ of Array(3).keys()) await advance();
    expect(await readAccount()).toMatchObject({ status: "completed" });
    await advance();
    expect(await readAccount()).toMatchObject({ status: "pending", smartAccount: null });
    await settle();
    expect(await readAccount()).toMatchObject({ status: "completed" });
    expect(await listDeployed()).toHaveLength(1);
  });

  test("a job is final once no reorganisation can undo it", async () => {
    const { advance, api, member, readJob, settle } = await begin();
    await createAccount(api, member);
    await settle();
    expect(await readJob()).toMatchObject({ state: "completed" });
    await mine(80);
    await advance();
    expect(await readJob()).toMatchObject({ state: "finalized" });
  });

  test("losing the connection to the chain at any step loses nothing, and the member is told", async () => {
    const proxy = await startTcpProxy(on.anvil.port);
    const { advance, api, chain, listDeployed, member, readAccount, readJob, settle } = await begin(proxy.url);
    const { token } = member;
    proxy.cut();
    expect(await api.call(readSmartAccountConsent, { token })).toMatchObject({ status: 503 });
    await expect(chain.hasCode(member.wallet.address)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    proxy.mend();
    const before = await countSent();
    await advance();

    proxy.cut();
    expect(await createAccount(api, member)).toMatchObject({ status: 200 });
    await advance();
    expect(await readJob()).toMatchObject({ state: "queued", attempts: 0 });
    expect((await api.read(readMachineTimeline, { token })).steps).toMatchObject([
      { step: "queued", note: "The network has not accepted this yet. Nothing is lost: we keep trying." },
    ]);
    for (const state of ["sent", "mined"]) {
      proxy.mend();
      await advance();
      expect(await readJob()).toMatchObject({ state, attempts: 0 });
      proxy.cut();
      await mine(1);
      await advance();
      expect(await readJob()).toMatchObject({ state, attempts: 0 });
      expect(await readAccount()).toMatchObject({ status: "pending" });
    }
    proxy.mend();
    await settle();
    expect(await readAccount()).toMatchObject({ status: "completed" });
    expect(await listDeployed()).toHaveLength(1);
    expect((await countSent()) - before).toBe(1);

    proxy.cut();
    expect(await api.call(requestMachineId, { token })).toMatchObject({ status: 503 });
    expect(await api.read(readMachineIdStatus, { token })).toEqual({ status: null });
    await proxy.stop();
  });

  test("a transaction that is not mined is replaced with a higher fee at the same nonce", async () => {
    const { advance, api, listDeployed, member, readAccount, readJob, settle } = await begin();
    await createAccount(api, member);
    await advance();
    const first = await readJob();
    await on.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 50_000_000_000n });
    await mine(1);
    await advance();

    const second = await readJob();
    expect(second).toMatchObject({ state: "sent", senderNonce: first?.senderNonce, replacedHashes: [first?.txHash] });
    await settle();
    // Whichever was mined, the others stay known: a reorganisation may bring them back.
    const last = await readJob();
    const known = [last?.txHash, ...(last?.replacedHashes ?? [])];
    expect(known).toEqual(expect.arrayContaining([first?.txHash, second?.txHash]));
    expect(await readAccount()).toMatchObject({ status: "completed" });
    expect(await listDeployed()).toHaveLength(1);
  });

  test("a job whose nonce was used by another transaction of the sender gets a new nonce", async () => {
    const { advance, api, member, readAccount, readJob, settle } = await begin();
    await createAccount(api, member);
    await advance();
    const sent = await readJob();
    await on.anvil.client.dropTransaction({ hash: hexOf(sent?.txHash) });
    await on.anvil.client.sendTransaction({ account: manager, to: manager.address, nonce: sent?.senderNonce ?? 0 });
    await mine(1);
    await settle();
    expect(await readAccount()).toMatchObject({ status: "completed" });
    expect((await readJob())?.senderNonce).toBe((sent?.senderNonce ?? 0) + 1);
  });

  test("a signed call that somebody else submits counts as the job's success", async () => {
    const { advance, api, factory, listDeployed, member, readAccount, readJob, settle } = await begin();
    const other = accountAt(3);
    await setRole(factory, other.address, true);
    await createAccount(api, member);
    await advance();
    const sent = await readJob();
    const { input } = await on.anvil.client.getTransaction({ hash: hexOf(sent?.txHash) });
    await on.anvil.client.dropTransaction({ hash: hexOf(sent?.txHash) });
    const hash = await on.anvil.client.sendTransaction({ account: other, to: factory, data: input });
    await mine(1);

    await settle();
    expect(await readAccount()).toMatchObject({ status: "completed" });
    expect(await readJob()).toMatchObject({ txHash: hash });
    expect(await listDeployed()).toHaveLength(1);

    await createMachineId(api, member);
    await advance();
    const signed = await readJob();
    const call = await on.anvil.client.getTransaction({ hash: hexOf(signed?.txHash) });
    await on.anvil.client.dropTransaction({ hash: hexOf(signed?.txHash) });
    await on.anvil.client.sendTransaction({ account: other, to: factory, data: call.input });
    await mine(1);
    await settle();
    expect(await api.read(readMachineIdStatus, { token: member.token })).toEqual({ status: "completed" });
  });

  test("a job whose factory nonce went to another account fails with NonceAlreadyUsed, and the next one succeeds", async () => {
    const { api, factory, listDeployed, member, readAccount, readJob, settle } = await begin();
    await createAccount(api, member);
    const { stationNonce = "0" } = (await readJob()) ?? {};
    await deployFor(factory, { owner: accountAt(4).address, nonce: BigInt(stationNonce) });
    await settle();
    expect(await readAccount()).toMatchObject({
      status: "failed",
      message: expect.stringContaining("NonceAlreadyUsed"),
    });

    await createAccount(api, member);
    await settle();
    expect(await readAccount()).toMatchObject({ status: "completed" });
    expect(await listDeployed()).toHaveLength(2);
  });

  test.for([
    ["InsufficientFactoryBalance", { fee: 11n * 10n ** 18n }],
    ["AccessControlUnauthorizedAccount", { isManager: false }],
  ] as const)("a contract error fails the job with the name of the error: %s", async ([name, { ...trouble }]) => {
    const { advance, api, chain, factory, member, readAccount, readJob, settle } = await begin();
    expect(await chain.check()).toEqual({ ok: true });
    if ("fee" in trouble) await setFee(factory, trouble.fee);
    else await setRole(factory, manager.address, false);
    const before = await countSent();
    await createAccount(api, member);
    await advance();
    expect(await readJob()).toMatchObject({ state: "failed", errorName: name });
    const account = await readAccount();
    expect(account).toMatchObject({ status: "failed", message: expect.stringContaining(name) });
    expect(await countSent()).toBe(before);
    const { steps } = await api.read(readMachineTimeline, { token: member.token });
    expect(steps.at(-1)).toMatchObject({ step: "failed", note: account.message });

    if ("fee" in trouble) await setFee(factory, 0n);
    else await setRole(factory, manager.address, true);
    expect(await createAccount(api, member)).toMatchObject({ status: 200 });
    await settle();
    expect(await readAccount()).toMatchObject({ status: "completed" });
  });

  const TEST_ABI = [
    {
      type: "function",
      name: "setRole",
      stateMutability: "nonpayable",
      inputs: [{ type: "bytes32" }, { type: "address" }, { type: "bool" }],
      outputs: [],
    },
    { type: "function", name: "setFee", stateMutability: "nonpayable", inputs: [{ type: "uint256" }], outputs: [] },
    {
      type: "function",
      name: "deployMachineSmartAccount",
      stateMutability: "nonpayable",
      inputs: [{ type: "address" }, { type: "uint256" }, { type: "bytes" }],
      outputs: [{ type: "address" }],
    },
  ] as const;
  const contract = (address: Hex) => ({ address, abi: TEST_ABI, account: accountAt(0) });

  async function setRole(factory: Hex, account: Hex, has: boolean) {
    const role = keccak256(stringToHex("STATION_MANAGER_ROLE"));
    await on.anvil.client.writeContract({ ...contract(factory), functionName: "setRole", args: [role, account, has] });
    await mine(1);
  }

  async function setFee(factory: Hex, fee: bigint) {
    await on.anvil.client.writeContract({ ...contract(factory), functionName: "setFee", args: [fee] });
    await mine(1);
  }

  /** Deploys with the station's own keys, without going through the server. */
  async function deployFor(factory: Hex, { nonce, owner }: { nonce: bigint; owner: Hex }) {
    const types = {
      DeployMachineSmartAccount: [
        { name: "machineOwner", type: "address" },
        { name: "nonce", type: "uint256" },
      ],
    };
    const signature = await accountAt(1).signTypedData({
      domain: { name: "MachineStationFactory", version: "1", chainId: 3338, verifyingContract: factory },
      types,
      primaryType: "DeployMachineSmartAccount",
      message: { machineOwner: owner, nonce },
    });
    const call = { functionName: "deployMachineSmartAccount", args: [owner, nonce, signature] } as const;
    await on.anvil.client.writeContract({ ...contract(factory), ...call, account: manager });
    await mine(1);
  }
});

function hexOf(value: string | null | undefined): Hex {
  if (!isHex(value)) throw new Error("There is no transaction");
  return value;
}
