import { createServer, type RequestListener } from "node:http";
import { encodeFunctionData, getContractAddress, parseAbi, type Address, type Hex } from "viem";
import type { HDAccount } from "viem/accounts";
import { MULTICALL } from "../../../server/node-pass/node-pass-reader.ts";
import { serveLocally } from "../servers/serve-locally.ts";
import { accountAt, type Anvil } from "./anvil.ts";
import artifacts from "./contracts/artifacts.json" with { type: "json" };

const ABI = parseAbi([
  "constructor(string name, address signer)",
  "function whitelist(address account, bool listed)",
  "function issue(address to, uint256 tokenId, string uri, string tier)",
  "function activate(uint256 tokenId)",
  "function mint(uint256 tokenId, bytes ticket)",
  "function approve(address to, uint256 tokenId)",
  "function setApprovalForAll(address operator, bool approved)",
  "function transferFrom(address from, address to, uint256 tokenId)",
]);

const NOBODY: Address = "0x0000000000000000000000000000000000000000";

/** The account that deploys passes, issues them and keeps the whitelist. */
const ADMIN = accountAt(0);

/** Deploys a pass, and returns functions that each change it in a new block. */
export async function deployNodePass(anvil: Anvil, { name = "Nodebeat Pass", signer = NOBODY } = {}) {
  const { client } = anvil;
  const bytecode = artifacts.NodePass.bytecode as Hex;
  const hash = await client.deployContract({ abi: ABI, account: ADMIN, bytecode, args: [name, signer] });
  const address = await mineContract(anvil, hash);

  /** Sends a call of an account, and returns whether the contract allowed it. */
  async function act(account: HDAccount, call: Parameters<typeof encodeFunctionData<typeof ABI>>[0]) {
    const sent = await client.sendTransaction({
      account,
      to: address,
      data: encodeFunctionData(call),
      gas: 1_000_000n,
      chain: client.chain,
    });
    await client.mine({ blocks: 1 });
    return (await client.getTransactionReceipt({ hash: sent })).status === "success";
  }
  return {
    address,
    whitelist: (account: Address, listed = true) =>
      act(ADMIN, { abi: ABI, functionName: "whitelist", args: [account, listed] }),
    issue: (to: Address, id: bigint, uri = "", tier = "Standard") =>
      act(ADMIN, { abi: ABI, functionName: "issue", args: [to, id, uri, tier] }),
    activate: (owner: HDAccount, id: bigint) => act(owner, { abi: ABI, functionName: "activate", args: [id] }),
    mint: (account: HDAccount, id: bigint, ticket: Hex) =>
      act(account, { abi: ABI, functionName: "mint", args: [id, ticket] }),
    approve: (owner: HDAccount, to: Address, id: bigint) =>
      act(owner, { abi: ABI, functionName: "approve", args: [to, id] }),
    approveAll: (owner: HDAccount, operator: Address, approved = true) =>
      act(owner, { abi: ABI, functionName: "setApprovalForAll", args: [operator, approved] }),
    transfer: (owner: HDAccount, to: Address, id: bigint) =>
      act(owner, { abi: ABI, functionName: "transferFrom", args: [owner.address, to, id] }),
  };
}

/** Deploys a contract that claims to be an ERC-721 and says nothing else, or nothing useful. */
export async function deployPlainPass(anvil: Anvil, holder: Address): Promise<Address> {
  const hash = await anvil.client.deployContract({
    abi: parseAbi(["constructor(address holder)"]),
    account: ADMIN,
    bytecode: artifacts.PlainPass.bytecode as Hex,
    args: [holder],
  });
  return mineContract(anvil, hash);
}

async function mineContract({ client }: Anvil, hash: Hex): Promise<Address> {
  await client.mine({ blocks: 1 });
  const { nonce } = await client.getTransaction({ hash });
  return getContractAddress({ from: ADMIN.address, nonce: BigInt(nonce) });
}

/** Installs a Multicall3 at the address that it has on most networks. */
export const installMulticall = ({ client }: Anvil) =>
  client.setCode({ address: MULTICALL, bytecode: artifacts.ManyCalls.deployedBytecode as Hex });

/** Starts a server on a free port of this machine, which records the addresses that were requested. */
export async function startStandIn(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  const { url, close } = await serveLocally(server);
  return { url, asked, stop: close };
}
