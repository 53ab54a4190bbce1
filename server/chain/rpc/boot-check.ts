import { getAbiItem, isAddressEqual, toFunctionSelector, zeroHash, type PublicClient } from "viem";
import { getEip712Domain, getChainId } from "viem/actions";
import { factoryAbi, olderFactoryAbi } from "../abi.ts";
import { IDENTITY_CHAIN_ID, type Domain } from "../contract.ts";
import { findRevert } from "./rpc-errors.ts";
import type { Station } from "./station.ts";

/** Why nothing can be done on the chain: a sentence for the operator, without keys and addresses of nodes. */
export class ChainProblem extends Error {
  override name = "ChainProblem";
}

export type Factory = {
  domain: Domain;
  /** Whether each call names the amount to refund, as in later generations. */
  takesRefund: boolean;
};

/** Checks everything without which the first member would fail. Throws ChainProblem. */
export async function checkStation(station: Station): Promise<Factory> {
  await checkChain(station.clients);
  const takesRefund = await checkCode(station);
  const domain = await readDomain(station);
  await checkRoles(station);
  await checkBalances(station);
  return { domain, takesRefund };
}

/** Checks that every address that answers leads to the same chain, because any of them may be asked. */
async function checkChain(clients: PublicClient[]) {
  const answers = await Promise.allSettled(clients.map((client) => getChainId(client)));
  const ids = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  if (ids.length === 0) throw unreachable(answers.find((answer) => answer.status === "rejected")?.reason);
  const wrong = ids.find((id) => id !== IDENTITY_CHAIN_ID);
  if (wrong !== undefined)
    throw new ChainProblem(`CHAIN_RPC_URLS lead to chain ${wrong}, not to ${IDENTITY_CHAIN_ID}.`);
}

const unreachable = (cause: unknown) =>
  new ChainProblem("The chain cannot be reached at any of the CHAIN_RPC_URLS.", { cause });

async function checkCode({ client, factory }: Station): Promise<boolean> {
  const code = await ask(client.getCode({ address: factory }));
  if (!code) throw new ChainProblem(`There is no contract at CHAIN_FACTORY_ADDRESS (${factory}).`);
  // A proxy contains neither, and counts as the later generation.
  return code.includes(executeSelector(factoryAbi)) || !code.includes(executeSelector(olderFactoryAbi));
}

const executeSelector = (abi: typeof factoryAbi | typeof olderFactoryAbi) =>
  toFunctionSelector(getAbiItem({ abi, name: "executeMachineTransaction" })).slice(2);

async function readDomain({ client, factory }: Station): Promise<Domain> {
  const described = await ask(getEip712Domain(client, { address: factory }), NO_STATION);
  const { chainId, name, verifyingContract, version } = described.domain;
  if (name !== "MachineStationFactory" || !version) throw new ChainProblem(NO_STATION);
  if (version !== "1" && version !== "2") {
    throw new ChainProblem(`The factory's EIP-712 domain is of version ${version}; 1 and 2 are known.`);
  }
  if (chainId !== IDENTITY_CHAIN_ID || !isAddressEqual(verifyingContract, factory)) {
    throw new ChainProblem("The factory's EIP-712 domain is that of another chain or contract.");
  }
  return { name, version, chainId: IDENTITY_CHAIN_ID, verifyingContract: factory };
}

const NO_STATION = "The contract at CHAIN_FACTORY_ADDRESS is no machine station factory.";

async function checkRoles({ admin, client, factory, manager }: Station) {
  const contract = { address: factory, abi: factoryAbi } as const;
  const managerRole = await ask(client.readContract({ ...contract, functionName: "STATION_MANAGER_ROLE" }), NO_STATION);
  for (const [key, role, address, title] of [
    ["CHAIN_ADMIN_KEY", zeroHash, admin.address, "admin"],
    ["CHAIN_MANAGER_KEY", managerRole, manager.address, "station manager"],
  ] as const) {
    const has = await ask(
      client.readContract({ ...contract, functionName: "hasRole", args: [role, address] }),
      NO_STATION,
    );
    if (!has) throw new ChainProblem(`The account of ${key} (${address}) does not have the factory's ${title} role.`);
  }
}

async function checkBalances({ client, factory, manager }: Station) {
  const [ours, theFactorys] = await ask(
    Promise.all([client.getBalance({ address: manager.address }), client.getBalance({ address: factory })]),
  );
  if (ours === 0n) {
    throw new ChainProblem(
      `The account of CHAIN_MANAGER_KEY (${manager.address}) has no funds to pay for transactions.`,
    );
  }
  if (theFactorys === 0n) throw new ChainProblem(`The factory (${factory}) has no funds to pay for new accounts.`);
}

/**
 * Returns the answer. If the contract does not understand the question, it is another contract: throws ChainProblem
 * with `otherwise`. Any other error counts as a failed connection.
 */
async function ask<Result>(question: Promise<Result>, otherwise?: string): Promise<Result> {
  return question.catch((error: unknown) => {
    const isRefused = findRevert(error) !== undefined || (error instanceof Error && /Domain/.test(error.name));
    throw otherwise && isRefused ? new ChainProblem(otherwise, { cause: error }) : unreachable(error);
  });
}
