import {
  HttpRequestError,
  RpcError,
  RpcRequestError,
  TimeoutError,
  BaseError,
  type Address,
  type ContractFunctionArgs,
  type PublicClient,
  type ReadContractReturnType,
} from "viem";
import { getEip712Domain } from "viem/actions";
import { findRevert } from "../chain/rpc/rpc-errors.ts";
import { nodePassAbi } from "./abi.ts";

type Abi = typeof nodePassAbi;
type Name = Extract<Abi[number], { type: "function" }>["name"];
type Args<F extends Name> = ContractFunctionArgs<Abi, "view", F>;
type Answer<F extends Name> = ReadContractReturnType<Abi, F, Args<F>>;

/** A pass's contract, to call by function name. It may lack any function: then the answer is null. */
export type PassContract = ReturnType<typeof openPassContract>;

export function openPassContract(client: PublicClient, address: Address) {
  const ask = async <F extends Name>(functionName: F, args: Args<F>): Promise<Answer<F> | null> => {
    // oxlint-disable typescript/no-unsafe-type-assertion -- viem's types follow a function's name only where it is known
    const question = { address, abi: nodePassAbi, functionName, args } as Parameters<PublicClient["readContract"]>[0];
    return (await answered(client.readContract(question))) as Answer<F> | null;
    // oxlint-enable typescript/no-unsafe-type-assertion
  };

  /** Returns the domain for signatures (EIP-5267), or null unless it has exactly the usual four fields. */
  const readDomain = async () => {
    const described = await answered(getEip712Domain(client, { address }));
    if (described?.fields !== USUAL_FIELDS) return null;
    const { chainId, name, verifyingContract, version } = described.domain;
    return { chainId, name, verifyingContract, version };
  };
  return { address, ask, readDomain };
}

/** Name, version, chain and contract, as a bit mask. */
const USUAL_FIELDS = "0x0f";

/** Returns the answer, or null if it is a refusal or makes no sense. Rejects if nobody was reached. */
function answered<Result>(question: Promise<Result>): Promise<Result | null> {
  return question.catch((error: unknown) => {
    if (isOutage(error)) throw error;
    return null;
  });
}

/** Whether nobody was reached. A contract's refusal is also an error of the node, but with the contract's own words. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  if (findRevert(error) !== undefined) return false;
  return error.walk(isTransportError) !== null;
}

const isTransportError = (cause: unknown) => TRANSPORT_ERRORS.some((kind) => cause instanceof kind);

const TRANSPORT_ERRORS = [HttpRequestError, TimeoutError, RpcRequestError, RpcError];
