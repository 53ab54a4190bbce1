import { zeroAddress, type Address } from "viem";
import { expect, test } from "vitest";
import { accountAt, deployStation, keyOf, startAnvil } from "../../../tests/support/chain/anvil.ts";
import { describeOnAnvil } from "../../../tests/support/chain/describe-on-anvil.ts";
import { createTestClock, SILENT } from "../../../tests/support/api/api.ts";
import { startTcpProxy } from "../../../tests/support/servers/tcp-proxy.ts";
import { createLog } from "../../log/log.ts";
import { createRpcChain } from "./rpc-chain.ts";
import { IDENTITY_PRECOMPILE } from "../contract.ts";

describeOnAnvil("the check at start", (on) => {
  type Trouble = { factory?: Address; rpcUrls?: string[]; log?: ReturnType<typeof createLog> };
  const clock = createTestClock();

  async function open({ factory, rpcUrls = [on.anvil.url], log = SILENT }: Trouble) {
    const { db } = on.database;
    const keys = { adminKey: keyOf(accountAt(1)), managerKey: keyOf(accountAt(2)) };
    const timing = { memberRetries: 0, requestRetries: 0 };
    const options = {
      db,
      now: clock.now,
      factory: factory ?? (await deployStation(on.anvil)),
      rpcUrls,
      ...keys,
      timing,
    };
    return createRpcChain({ ...options, log });
  }
  const check = async (trouble: Trouble) => (await open(trouble)).check();

  test("a correctly configured chain is ready and returns its domain", async () => {
    const chain = await open({ factory: await deployStation(on.anvil, { version: "2" }) });
    expect(await chain.check()).toEqual({ ok: true });
    const { factory } = await chain.describeDomains();
    expect(factory).toMatchObject({ name: "MachineStationFactory", version: "2", chainId: 3338 });
  });

  test("refuses another chain, even if only one of the addresses leads there", async () => {
    const other = await startAnvil({ chainId: 1 });
    const reason = "CHAIN_RPC_URLS lead to chain 1, not to 3338.";
    expect(await check({ rpcUrls: [on.anvil.url, other.url] })).toEqual({ ok: false, reason });
    await other.stop();
  });

  test.for<[string, () => Promise<Trouble>, string]>([
    ["no contract", async () => ({ factory: accountAt(9).address }), "There is no contract at CHAIN_FACTORY_ADDRESS"],
    ["another contract", async () => ({ factory: IDENTITY_PRECOMPILE }), "is no machine station factory."],
    [
      "an unknown version",
      async () => ({ factory: await deployStation(on.anvil, { version: "3" }) }),
      "The factory's EIP-712 domain is of version 3; 1 and 2 are known.",
    ],
    [
      "an admin without the role",
      async () => ({ factory: await deployStation(on.anvil, { admin: zeroAddress }) }),
      "does not have the factory's admin role.",
    ],
    [
      "a manager without the role",
      async () => ({ factory: await deployStation(on.anvil, { manager: zeroAddress }) }),
      "does not have the factory's station manager role.",
    ],
    [
      "a factory without funds",
      async () => ({ factory: await deployStation(on.anvil, { funds: 0n }) }),
      "has no funds to pay for new accounts.",
    ],
  ])("the check fails with a clear message: %s", async ([, make, sentence]) => {
    expect(await check(await make())).toEqual({ ok: false, reason: expect.stringContaining(sentence) });
  });

  test("refuses a manager without funds, with a clear message", async () => {
    const { address } = accountAt(2);
    const value = await on.anvil.client.getBalance({ address });
    await on.anvil.client.setBalance({ address, value: 0n });
    const reason = `The account of CHAIN_MANAGER_KEY (${address}) has no funds to pay for transactions.`;
    expect(await check({})).toEqual({ ok: false, reason });
    await on.anvil.client.setBalance({ address, value });
  });

  test("an unreachable chain is not ready until it can be reached, and its address is not logged", async () => {
    const proxy = await startTcpProxy(on.anvil.port);
    const said: string[] = [];
    const log = createLog({ level: "trace", destination: { write: (line: string) => void said.push(line) } });
    const chain = await open({ rpcUrls: [`${proxy.url}/?key=key-of-the-node`], log });
    proxy.cut();
    const reason = "The chain cannot be reached at any of the CHAIN_RPC_URLS.";
    expect(await chain.check()).toEqual({ ok: false, reason });
    await expect(chain.describeDomains()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(chain.isReady()).toBe(false);
    expect(said.join("")).toContain(reason);
    expect(said.join("")).not.toContain("key-of-the-node");

    proxy.mend();
    expect(await chain.check()).toEqual({ ok: false, reason });
    clock.advance(6_000);
    expect(chain.isReady()).toBe(false);
    // The check that this has started.
    expect(await chain.check()).toEqual({ ok: true });
    expect(chain.isReady()).toBe(true);
    // A check that succeeded is not repeated: a later outage stops only what needs the chain.
    proxy.cut();
    expect(await chain.check()).toEqual({ ok: true });
    await proxy.stop();
  });

  test("an account with delegated code (EIP-7702) is not taken for a contract", async () => {
    const factory = await deployStation(on.anvil);
    const chain = await open({ factory });
    const { address } = accountAt(8);
    expect(await chain.hasCode(factory)).toBe(true);
    expect(await chain.hasCode(address)).toBe(false);
    await on.anvil.client.setCode({ address, bytecode: `0xef0100${factory.slice(2).toLowerCase()}` as Address });
    expect(await chain.hasCode(address)).toBe(false);
  });
});
