import type { Address } from "viem";
import { factoryAbi } from "../../../server/chain/abi.ts";
import { createRpcChain } from "../../../server/chain/rpc/rpc-chain.ts";
import type { Timing } from "../../../server/chain/rpc/station.ts";
import { chainJobs } from "../../../server/db/schema.ts";
import { createTestApi, createTestClock, SILENT } from "../api/api.ts";
import type { TestDatabase } from "../database/test-database.ts";
import { accountAt, keyOf, type Anvil } from "./anvil.ts";

type Options = {
  factory: Address;
  rpcUrl?: string;
  timing?: Partial<Timing>;
  clock?: ReturnType<typeof createTestClock>;
};

/** Creates the whole API with a chain behind it: anvil, whose blocks the test makes, on the test's own clock. */
export function createStationTest(database: TestDatabase, anvil: Anvil, options: Options) {
  const { clock = createTestClock(), factory, rpcUrl = anvil.url, timing } = options;
  const { db } = database;
  const chain = createRpcChain({
    db,
    log: SILENT,
    now: clock.now,
    rpcUrls: [rpcUrl],
    factory,
    adminKey: keyOf(accountAt(1)),
    managerKey: keyOf(accountAt(2)),
    // However long a busy machine takes.
    timing: { requestRetries: 0, memberRetries: 0, requestLimit: 60_000, memberLimit: 60_000, ...timing },
  });
  const api = createTestApi(database, { now: clock.now, chain });

  /** Makes everything in the queue due, and runs it once. */
  async function advance() {
    clock.advance(60_000);
    await api.deps.chain.advance();
  }

  /** Runs the queue and makes blocks until every job is over. Throws if that takes too many rounds. */
  async function settle() {
    for (let round = 0; round < 20; round += 1) {
      await advance();
      await anvil.client.mine({ blocks: 4 });
      const jobs = await db.select({ state: chainJobs.state }).from(chainJobs);
      if (jobs.every(({ state }) => ["completed", "finalized", "failed"].includes(state))) return;
    }
    throw new Error("The chain's jobs did not come to an end");
  }

  /** Returns the accounts that the factory has deployed. */
  async function listDeployed(): Promise<Address[]> {
    const filter = {
      address: factory,
      abi: factoryAbi,
      eventName: "MachineSmartAccountDeployed",
      fromBlock: 0n,
    } as const;
    const events = await anvil.client.getContractEvents(filter);
    return events.flatMap(({ args }) => args.deployedAddress ?? []);
  }

  const readJobs = () => db.select().from(chainJobs).orderBy(chainJobs.createdAt);

  return { api, chain: api.deps.chain, clock, advance, settle, listDeployed, readJobs };
}
