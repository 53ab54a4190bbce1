import { text } from "node:stream/consumers";
import {
  decodeFunctionData,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  isAddressEqual,
  isHash,
  keccak256,
  numberToHex,
  parseAbi,
  stringToHex,
  toFunctionSelector,
  zeroHash,
  type Address,
  type Hex,
} from "viem";
import { factoryAbi, identityAbi, olderFactoryAbi } from "../../../server/chain/abi.ts";
import { accountAt } from "./anvil.ts";
import { startStandIn } from "./node-pass.ts";

export const FACTORY: Address = "0xfac0000000000000000000000000000000000001";
/** The account that the factory of a scripted node deploys. */
export const MACHINE: Address = "0xacc0000000000000000000000000000000000002";
const MANAGER_ROLE = keccak256(stringToHex("STATION_MANAGER_ROLE"));

/** An error that a node returns instead of a result. */
export class NodeError extends Error {
  readonly code: number;
  readonly data: string | undefined;

  constructor(message: string, { code = -32000, data }: { code?: number; data?: string } = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Errors = Extract<(typeof factoryAbi)[number], { type: "error" }>["name"];
type ErrorArguments = Parameters<typeof encodeErrorResult<typeof factoryAbi, Errors>>[0]["args"];

/** Returns a contract's own error, or one without a name. */
export function reverts(errorName?: Errors, args?: ErrorArguments): NodeError {
  const data = errorName ? encodeErrorResult({ abi: factoryAbi, errorName, args }) : "0x";
  return new NodeError("execution reverted", { code: 3, data });
}

/** Returns a node's internal error, which some nodes also use when a contract refuses. */
export const internalError = (message = "Internal error", data?: string) =>
  new NodeError(message, { code: -32603, data });

/** As an answer: the node fails, and says nothing about what was asked. */
export function fails(): never {
  throw new Error("A node that fails");
}

type RpcResponse = (...asked: never[]) => unknown;
type Call = { functionName: string; args?: readonly unknown[] };
type RpcRequest = { method: string; params: unknown[] };

/** Every function that a station calls on contracts, one of each name. */
const ABI = [
  ...factoryAbi,
  ...olderFactoryAbi.filter((item) => item.type === "function" && item.name === "executeMachineTransaction"),
  ...identityAbi,
  ...parseAbi([
    "function eip712Domain() view returns (bytes1, string, string, uint256, address, bytes32, uint256[])",
    "function owner() view returns (address)",
    "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) view returns ((bool, bytes)[])",
  ]),
];

/** Returns a factory's code, which contains the selector of its `executeMachineTransaction`. */
export const codeOf = (abi: typeof factoryAbi | typeof olderFactoryAbi): Hex => {
  const execute = abi.find((item) => item.type === "function" && item.name === "executeMachineTransaction");
  if (execute?.type !== "function") throw new Error("A factory executes");
  return `0x6080${toFunctionSelector(execute).slice(2)}00`;
};

export const domainOf = ({ name = "MachineStationFactory", version = "1", chainId = 3338n, contract = FACTORY }) => [
  "0x0f",
  name,
  version,
  chainId,
  contract,
  zeroHash,
  [],
];

/**
 * Starts a node that answers as a test wants: by method name, and for contract calls by function name. By default it
 * has a station where all is well, and knows no transaction.
 */
export async function startScriptedNode() {
  const asked: RpcRequest[] = [];
  const contracts: Record<string, RpcResponse> = {
    eip712Domain: (contract: Address) =>
      domainOf(isAddressEqual(contract, FACTORY) ? {} : { name: "MachineSmartAccount", contract }),
    STATION_MANAGER_ROLE: () => MANAGER_ROLE,
    hasRole: (role: Hex, account: Address) => account === accountAt(role === zeroHash ? 1 : 2).address,
    deployMachineSmartAccount: () => MACHINE,
    executeMachineTransaction: () => undefined,
    readAttribute: () => reverts(),
  };
  const answers: Record<string, RpcResponse> = {
    eth_chainId: () => numberToHex(3338),
    eth_getCode: () => codeOf(factoryAbi),
    eth_getBalance: () => numberToHex(10n ** 18n),
    eth_blockNumber: () => numberToHex(1000),
    eth_getBlockByNumber: (tag: string) => (tag === "finalized" ? null : { baseFeePerGas: "0x64", number: "0x3e8" }),
    eth_maxPriorityFeePerGas: () => "0xa",
    eth_estimateGas: () => numberToHex(100_000),
    eth_getTransactionCount: () => "0x5",
    eth_sendRawTransaction: (raw: Hex) => keccak256(raw),
    eth_getTransactionReceipt: () => null,
    eth_getLogs: () => [],
    eth_call({ data, to }: { data: Hex; to: Address }, block: unknown) {
      const call: Call = decodeFunctionData({ abi: ABI, data });
      // A question about the contract itself has no arguments but the contract.
      const { args = [to], functionName } = call;
      const result = respond(contracts[functionName], [args, block].flat());
      return result instanceof NodeError || result === "0x"
        ? result
        : encodeFunctionResult({ abi: ABI, functionName, result, args } as never);
    },
  };

  /** Returns the node's response to a request. Rejects if the node drops the request. */
  async function handle(body: string): Promise<string> {
    const { id, method, params = [] } = JSON.parse(body) as { id: number; method: string; params?: unknown[] };
    asked.push({ method, params });
    const result = await respond(answers[method], params);
    if (!(result instanceof NodeError)) return JSON.stringify({ jsonrpc: "2.0", id, result });
    const { code, data, message } = result;
    return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
  }

  const { stop, url } = await startStandIn((request, response) => {
    text(request)
      .then(handle)
      .then(
        (said) => response.writeHead(200, { "Content-Type": "application/json" }).end(said),
        () => response.writeHead(500).end(),
      );
  });
  const initial = { answers: { ...answers }, contracts: { ...contracts } };
  return {
    url,
    answers,
    contracts,
    stop,
    asked,
    /** Returns the parameters of all requests with a method, in order. */
    listRequests: (method: string) => asked.filter((each) => each.method === method).map(({ params }) => params),
    /** Restores the initial state. */
    reset() {
      asked.length = 0;
      for (const name of Object.keys(answers)) delete answers[name];
      Object.assign(answers, initial.answers);
      Object.assign(contracts, initial.contracts);
    },
  };
}

export type ScriptedNode = Awaited<ReturnType<typeof startScriptedNode>>;

/** Throws if no answer is set, which a caller takes for a node that fails. */
function respond(how: RpcResponse | undefined, asked: unknown[]): unknown {
  if (!how) throw new Error("Nobody has said what to answer");
  return how(...(asked as never[]));
}

type Mined = { hash: Hex; block: number; status?: "success" | "reverted"; logs?: object[] };

/** Returns a transaction's receipt, in the format of a node. */
export function receiptOf({ block, hash, logs = [], status = "success" }: Mined) {
  if (!isHash(hash)) throw new Error("That is no hash");
  const place = { blockHash: blockHashOf(block), blockNumber: numberToHex(block), transactionHash: hash };
  const placed = logs.map((log) => ({ ...place, transactionIndex: "0x0", logIndex: "0x0", removed: false, ...log }));
  const [from, to] = [accountAt(2).address, FACTORY];
  const used = { gasUsed: "0x1", cumulativeGasUsed: "0x1", effectiveGasPrice: "0x1", transactionIndex: "0x0" };
  return { ...place, ...used, from, to, type: "0x2", logs: placed, status: status === "success" ? "0x1" : "0x0" };
}

export const blockHashOf = (block: number) => keccak256(numberToHex(block));

/** Returns the factory's log entry for an account that it has deployed. */
export const deployedLog = (address = FACTORY, account = MACHINE) => ({
  address,
  data: "0x",
  topics: encodeEventTopics({
    abi: factoryAbi,
    eventName: "MachineSmartAccountDeployed",
    args: { deployedAddress: account },
  }),
});
