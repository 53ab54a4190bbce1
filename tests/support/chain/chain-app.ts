import { rm } from "node:fs/promises";
import { isAddressEqual, stringToHex, type Address } from "viem";
import { factoryAbi, identityAbi } from "../../../server/chain/abi.ts";
import { IDENTITY_PRECOMPILE } from "../../../server/chain/contract.ts";
import { createDataFolder } from "../database/empty-database.ts";
import { startApp, type RunningApp } from "../servers/start-app.ts";
import { accountAt, deployStation, keyOf, startAnvil } from "./anvil.ts";
import { startTcpProxy } from "../servers/tcp-proxy.ts";

/** How long between blocks, in milliseconds. */
const BLOCK_TIME = 100;

/**
 * Starts a whole server whose Smart Accounts and Machine IDs are on a new chain. Its database outlives it: the server
 * can be killed at any time and comes back at the same address.
 */
export async function startChainApp() {
  const anvil = await startAnvil();
  const factory = await deployStation(anvil);
  const proxy = await startTcpProxy(anvil.port);
  const dataDir = await createDataFolder();
  const settings = {
    CHAIN_RPC_URLS: proxy.url,
    CHAIN_FACTORY_ADDRESS: factory,
    CHAIN_ADMIN_KEY: keyOf(accountAt(1)),
    CHAIN_MANAGER_KEY: keyOf(accountAt(2)),
  };
  let app = await startApp({ dataDir, settings });
  const { url } = app;
  const blocks = makeBlocks(() => anvil.client.mine({ blocks: 1 }));

  async function restart() {
    process.kill(app.pid, "SIGKILL");
    await app.close();
    app = await startApp({ dataDir, settings: { ...settings, PORT: new URL(url).port } });
  }
  async function stop() {
    await app.close();
    await blocks.stop();
    await proxy.stop();
    await anvil.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  const running: RunningApp = { url, pid: app.pid, seed: app.seed, log: () => app.log(), close: stop };
  return {
    app: running,
    /** Ends the server as a power cut would, and starts it again. */
    restart,
    /** The proxy between the server and the chain. */
    proxy,
    blocks,
    /** Asks the chain itself for an owner's accounts. */
    async ask(owner: Address) {
      const accounts = await listAccounts(anvil, factory, owner);
      const identities = await Promise.all(accounts.map((account) => readIdentity(anvil, account)));
      return { accounts, identities };
    },
    countSent: () => anvil.client.getTransactionCount({ address: accountAt(2).address }),
  };
}

type Anvil = Awaited<ReturnType<typeof startAnvil>>;

async function listAccounts({ client }: Anvil, address: Address, owner: Address): Promise<Address[]> {
  const eventName = "MachineSmartAccountDeployed";
  const events = await client.getContractEvents({ address, abi: factoryAbi, eventName, fromBlock: 0n });
  const all = events.flatMap(({ args }) => args.deployedAddress ?? []);
  const owners = await Promise.all(
    all.map((account) => client.readContract({ address: account, abi: OWNER_ABI, functionName: "owner" })),
  );
  return all.filter((_, index) => isAddressEqual(owners[index] ?? "0x", owner));
}

const OWNER_ABI = [
  { type: "function", name: "owner", stateMutability: "view", inputs: [], outputs: [{ type: "address" }] },
] as const;

/** Returns the identity's value in hexadecimal, as stored in the register. */
async function readIdentity({ client }: Anvil, account: Address): Promise<string> {
  const name = stringToHex(`did:peaq:${account}#nodebeat`);
  const call = { address: IDENTITY_PRECOMPILE, abi: identityAbi, functionName: "readAttribute" } as const;
  return (await client.readContract({ ...call, args: [account, name] })).value;
}

/** Makes blocks as a chain does, except while it is paused. */
function makeBlocks(mine: () => Promise<unknown>) {
  const stopping = new AbortController();
  let isPaused = false;
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      if (!isPaused) await mine();
      await new Promise((resolve) => setTimeout(resolve, BLOCK_TIME));
    }
  })();
  return {
    pause: () => (isPaused = true),
    goOn: () => (isPaused = false),
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
