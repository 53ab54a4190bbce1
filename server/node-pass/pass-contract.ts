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

/** A pass's contract, asked by name. Every question may be one that it does not answer: then the answer is null. */
export type PassContract = ReturnType<typeof openPassContract>;

export function openPassContract(client: PublicClient, address: Address) {
  const ask = async <F extends Name>(functionName: F, args: Args<F>): Promise<Answer<F> | null> => {
    // oxlint-disable typescript/no-unsafe-type-assertion -- viem's types follow a function's name only where it is known
    const question = { address, abi: nodePassAbi, functionName, args } as Parameters<PublicClient["readContract"]>[0];
    return (await answered(client.readContract(question))) as Answer<F> | null;
    // oxlint-enable typescript/no-unsafe-type-assertion
  };

  /** The domain of what is signed for it (EIP-5267); null where it has none of the usual four fields. */
  const readDomain = async () => {
    const described = await answered(getEip712Domain(client, { address }));
    if (described?.fields !== USUAL_FIELDS) return null;
    const { chainId, name, verifyingContract, version } = described.domain;
    return { chainId, name, verifyingContract, version };
  };
  return { address, ask, readDomain };
}

/** Name, version, chain and contract, as bits. */
const USUAL_FIELDS = "0x0f";

/** The answer; null for a question that is refused, or answered with what is none. Rejects where nobody was reached. */
function answered<Result>(question: Promise<Result>): Promise<Result | null> {
  return question.catch((error: unknown) => {
    if (isOutage(error)) throw error;
    return null;
  });
}

/** A contract's refusal comes as an error of the node's, too: it is told apart by what it says. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  if (findRevert(error) !== undefined) return false;
  return error.walk(isOfTheWay) !== null;
}

const isOfTheWay = (cause: unknown) => WAY.some((kind) => cause instanceof kind);

const WAY = [HttpRequestError, TimeoutError, RpcRequestError, RpcError];
