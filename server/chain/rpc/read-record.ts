import type { Address, Hex, PublicClient } from "viem";
import { identityAbi } from "../abi.ts";
import type { IdentityRecord } from "../chain-gateway.ts";
import { findRevert } from "./rpc-errors.ts";

type Asked = { target: Address; machine: Address; name: Hex };

/** Returns the record at the identity precompile, which reverts if there is none. */
export async function readRecord(
  client: PublicClient,
  { machine, name, target }: Asked,
): Promise<IdentityRecord | undefined> {
  const question = { address: target, abi: identityAbi, functionName: "readAttribute", args: [machine, name] } as const;
  const record = await client.readContract(question).catch((error: unknown) => {
    if (findRevert(error) !== undefined) return undefined;
    throw error;
  });
  return record && record.value !== "0x" ? { name: record.name, value: record.value } : undefined;
}
