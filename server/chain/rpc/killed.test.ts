import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTestApi, SILENT } from "../../../tests/support/api/api.ts";
import { accountAt, deployStation, hasAnvil, keyOf, startAnvil } from "../../../tests/support/chain/anvil.ts";
import { createAccount, createMachineId, seedChainMember } from "../../../tests/support/chain/chain-member.ts";
import { createDataFolder } from "../../../tests/support/database/empty-database.ts";
import { QUICK_ENGINE } from "../../../tests/support/servers/quick-engine.ts";
import { startKillingProxy, type Moment } from "../../../tests/support/chain/killing-proxy.ts";
import { openDatabase } from "../../db/client.ts";
import { readMachineIdStatus, readMachineTimeline, readSmartAccount } from "../../machine-id/contract.ts";
import { factoryAbi } from "../abi.ts";
import { createRpcChain } from "./rpc-chain.ts";
import type { WorkerSettings } from "./worker.fixture.ts";

/** One moment between every two things that are saved or sent. */
const MOMENTS: Moment[] = [
  { method: "eth_estimateGas", when: "before" },
  { method: "eth_sendRawTransaction", when: "before" },
  { method: "eth_sendRawTransaction", when: "after" },
  { method: "eth_getTransactionReceipt", when: "after" },
  { method: "eth_blockNumber", when: "after" },
];
/** The second transaction takes the same path as the first, until its result is checked. */
const MOMENTS_AGAIN = MOMENTS.slice(2, 4);

const now = () => new Date();
const dataDir = await createDataFolder();
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test.skipIf(!hasAnvil)(
  "a worker that is killed at each step makes one account and one identity with one transaction each",
  async () => {
    const anvil = await startAnvil();
    onTestFinished(() => anvil.stop());
    const proxy = await startKillingProxy(anvil.url);
    onTestFinished(() => proxy.stop());
    const factory = await deployStation(anvil);
    const keys = { adminKey: keyOf(accountAt(1)), managerKey: keyOf(accountAt(2)) };
    const settings: WorkerSettings = { dataDir, rpcUrl: proxy.url, factory, ...keys };

    /** Runs the API on the worker's database, while no worker runs. */
    async function withApi<Result>(act: (api: ReturnType<typeof createTestApi>) => Promise<Result>): Promise<Result> {
      const database = await openDatabase({ dataDir, log: SILENT });
      const chain = createRpcChain({ db: database.db, log: SILENT, now, rpcUrls: [anvil.url], factory, ...keys });
      try {
        return await act(createTestApi(database, { now, chain }));
      } finally {
        await database.close();
      }
    }

    const { killed, member } = await withApi(async (api) => {
      const member = await seedChainMember(api.deps);
      expect(await createAccount(api, member)).toMatchObject({ status: 200 });
      return { member, killed: [] as string[] };
    });
    for (const moment of MOMENTS) killed.push(await runWorker(settings, proxy, moment));
    expect(await runWorker(settings, proxy)).toBe("ended");
    await withApi(async (api) => {
      expect(await api.read(readSmartAccount, { token: member.token })).toMatchObject({ status: "completed" });
      expect(await createMachineId(api, member)).toMatchObject({ status: 200 });
    });
    for (const moment of MOMENTS_AGAIN) killed.push(await runWorker(settings, proxy, moment));
    expect(await runWorker(settings, proxy)).toBe("ended");
    expect(killed).toEqual([...MOMENTS, ...MOMENTS_AGAIN].map(() => "killed"));

    const { status, steps } = await withApi(async (api) => ({
      ...(await api.read(readMachineIdStatus, { token: member.token })),
      ...(await api.read(readMachineTimeline, { token: member.token })),
    }));
    expect(status).toBe("completed");
    expect(steps.map(({ step }) => step)).toEqual(["queued", "deployed", "signed", "registered"]);
    expect(await anvil.client.getTransactionCount({ address: accountAt(2).address })).toBe(2);
    const filter = { address: factory, abi: factoryAbi, fromBlock: 0n } as const;
    expect(await anvil.client.getContractEvents({ ...filter, eventName: "MachineSmartAccountDeployed" })).toHaveLength(
      1,
    );
    await proxy.stop();
    await anvil.stop();
  },
);

type Proxy = Awaited<ReturnType<typeof startKillingProxy>>;

/** Runs the worker until it ends, or until it is killed at this moment. */
async function runWorker(settings: WorkerSettings, proxy: Proxy, moment?: Moment): Promise<string> {
  const fixture = new URL("./worker.fixture.ts", import.meta.url);
  const worker = fork(fixture, [JSON.stringify(settings)], {
    execArgv: QUICK_ENGINE,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  if (moment) proxy.killAt(moment, () => worker.kill("SIGKILL"));
  const [code, signal] = await once(worker, "exit");
  return signal === "SIGKILL" ? "killed" : code === 0 ? "ended" : `failed (${code})`;
}
