import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  encodeErrorResult,
  ExecutionRevertedError,
  parseAbi,
} from "viem";
import { expect, test } from "vitest";
import { findRevert, readRefusal, summarize } from "./rpc-errors.ts";

const said = (details: string) => new BaseError("The node refused it.", { details });

test.each([
  ["already known", "known"],
  ["Known transaction: 0xabc", "known"],
  ["Transaction with the same hash was already imported.", "known"],
  ["submit transaction to pool failed: Pool(AlreadyImported(0xabc))", "known"],
  ["AlreadyKnown", "known"],
  ["submit transaction to pool failed: Pool(InvalidTransaction(InvalidTransaction::Stale))", "nonce-used"],
  ["OldNonce", "nonce-used"],
  ["NonceTooLow", "nonce-used"],
  ["submit transaction to pool failed: Pool(TooLowPriority { old: 5, new: 5 })", "underpriced"],
  ["unknown transaction type", "other"],
  ["nonce too low: next nonce 5, tx nonce 4", "nonce-used"],
  ["Transaction nonce is too low. Try incrementing the nonce.", "nonce-used"],
  ["Nonce provided for the transaction is lower than the current nonce of the account.", "nonce-used"],
  ["invalid transaction: Transaction is stale", "nonce-used"],
  ["replacement transaction underpriced", "underpriced"],
  ["Gas price of the transaction is too low to replace the one in the pool", "underpriced"],
  ["max fee per gas less than block base fee", "underpriced"],
  ["insufficient funds for gas * price + value", "other"],
  ["nonce too high", "other"],
  ["", "other"],
] as const)("the node error %j means %s", (words, refusal) => {
  expect(readRefusal(said(words))).toBe(refusal);
  expect(readRefusal(new Error(words))).toBe(refusal);
});

const abi = parseAbi(["error NonceAlreadyUsed()", "function run()"]);
const around = (cause: Error) => new BaseError("The call failed.", { cause: new BaseError("Deeper.", { cause }) });

test.each([
  [
    "NonceAlreadyUsed",
    new ContractFunctionRevertedError({
      abi,
      functionName: "run",
      data: encodeErrorResult({ abi, errorName: "NonceAlreadyUsed" }),
    }),
  ],
  ["Reverted", new ContractFunctionRevertedError({ abi, functionName: "run", data: "0xdeadbeef" })],
  ["Reverted", new ContractFunctionZeroDataError({ functionName: "run" })],
  ["Reverted", new ExecutionRevertedError({ message: "no" })],
  [undefined, said("the connection was lost")],
])("finds the revert behind an error, however deeply it is nested: %s", (name, cause) => {
  expect([findRevert(cause), findRevert(around(cause))]).toEqual([name, name]);
});

test.each([[new TypeError("fetch failed")], ["a text"], [undefined]])("%s is not a revert of the contract", (error) => {
  expect(findRevert(error)).toBeUndefined();
});

test("the log has an error's type and message, but no address of a node", () => {
  const url = "https://node.example/v2/secret-key";
  const failed = new BaseError("HTTP request failed.", { metaMessages: [`URL: ${url}`], details: url });
  expect(failed.message).toContain("secret-key");
  expect(summarize(failed)).toEqual({ type: "BaseError", message: "HTTP request failed." });
  expect(summarize(new TypeError("no"))).toEqual({ type: "TypeError", message: "no" });
  expect(summarize("no")).toEqual({ type: "unknown", message: "" });
});
