import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import {
  createTestClient,
  defineChain,
  http,
  parseEther,
  publicActions,
  toHex,
  walletActions,
  type Address,
  type Hex,
} from "viem";
import { mnemonicToAccount, type HDAccount } from "viem/accounts";
import { IDENTITY_CHAIN_ID, IDENTITY_PRECOMPILE } from "../../../server/chain/contract.ts";
import { startOnFreePort } from "../servers/free-port.ts";
import artifacts from "./contracts/artifacts.json" with { type: "json" };

/** Whether there is a chain to test on: its binary is installed for one platform only. */
export const hasAnvil = process.platform === "linux" && process.arch === "x64";
const WHERE = `${process.platform} ${process.arch}`;
// oxlint-disable-next-line no-console -- reporters count what is skipped, but do not say why
if (!hasAnvil) console.log(`Skipped on ${WHERE}: what is tested on a chain, by anvil for Linux on x64.`);

type AnvilOptions = { chainId?: number };

/** Starts a new chain with the identity register in place. Blocks are made only by `mine`. */
export async function startAnvil({ chainId = IDENTITY_CHAIN_ID }: AnvilOptions = {}) {
  const { port, stop } = await startOnFreePort((free) => run(free, chainId));
  const url = `http://127.0.0.1:${port}`;
  const client = createTestClient({
    mode: "anvil",
    chain: defineChain({ ...CHAIN, id: chainId, rpcUrls: { default: { http: [url] } } }),
    transport: http(url),
    cacheTime: 0,
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions);
  await client.setCode({ address: IDENTITY_PRECOMPILE, bytecode: artifacts.IdentityRegister.deployedBytecode as Hex });
  return { url, port, client, stop };
}

export type Anvil = Awaited<ReturnType<typeof startAnvil>>;

const CHAIN = { name: "anvil", nativeCurrency: { name: "peaq", symbol: "PEAQ", decimals: 18 } };

async function run(port: number, chainId: number) {
  const binary = createRequire(import.meta.url).resolve("@foundry-rs/anvil-linux-amd64/bin/anvil");
  const flags = ["--chain-id", String(chainId), "--host", "127.0.0.1", "--port", String(port), "--no-mining"];
  const process = spawn(binary, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(process, "exit");
  await listening(process.stdout);
  async function stop() {
    process.kill("SIGKILL");
    await ended;
  }
  return { port, stop };
}

/** Waits until it is listening, and keeps reading its output, so that it never blocks on a full pipe. */
async function listening(output: NodeJS.ReadableStream) {
  const heard = Promise.withResolvers<void>();
  let said = "";
  output.on("data", (chunk) => {
    if (!said.includes("Listening on")) said += String(chunk);
    if (said.includes("Listening on")) heard.resolve();
  });
  output.once("close", () => heard.reject(new Error(`anvil did not start:\n${said}`)));
  await heard.promise;
}

/** Anvil's own accounts, which have funds. */
export const accountAt = (index: number): HDAccount =>
  mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex: index });

export const keyOf = (account: HDAccount): Hex => toHex(account.getHdKey().privateKey ?? new Uint8Array());

type StationOptions = { version?: string; older?: boolean; admin?: Address; manager?: Address; funds?: bigint };

/** Deploys a factory. Its admin and manager are anvil's accounts 1 and 2 unless others are given. */
export async function deployStation({ client }: Anvil, options: StationOptions = {}): Promise<Address> {
  const {
    admin = accountAt(1).address,
    funds = parseEther("10"),
    manager = accountAt(2).address,
    version = "1",
  } = options;
  const artifact = options.older ? artifacts.OlderMachineStation : artifacts.MachineStation;
  const hash = await client.deployContract({
    abi: STATION_ABI,
    account: accountAt(0),
    bytecode: artifact.bytecode as Hex,
    args: [admin, manager, version],
    value: funds,
  });
  await client.mine({ blocks: 1 });
  const { contractAddress } = await client.getTransactionReceipt({ hash });
  if (!contractAddress) throw new Error("The factory was not deployed");
  return contractAddress;
}

const STATION_ABI = [
  {
    type: "constructor",
    stateMutability: "payable",
    inputs: [
      { name: "admin", type: "address" },
      { name: "manager", type: "address" },
      { name: "version", type: "string" },
    ],
  },
] as const;
