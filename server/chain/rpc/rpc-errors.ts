import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  isHex,
  size,
} from "viem";

/** The chain refused it for good, with the name of the contract's own error. */
export class Refused extends Error {
  override name = "Refused";
  readonly errorName: string;

  constructor(errorName: string, options?: ErrorOptions) {
    super(errorName, options);
    this.errorName = errorName;
  }
}

/** The name of the contract's error that stopped a call; undefined where it was not the contract that stopped it. */
export function findRevert(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const reverted = error.walk(isOfContract);
  if (reverted instanceof ContractFunctionRevertedError) return reverted.data?.errorName ?? "Reverted";
  if (foundNothing(error)) return "Reverted";
  return error.walk((cause) => cause instanceof ExecutionRevertedError) ? "Reverted" : undefined;
}

/** Whether a call found nothing where a contract is: so says a node that is behind it, or on another chain. */
export const foundNothing = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null;

/**
 * viem takes every internal error of a node (-32603) for a contract's, since some networks tell of those so. What the
 * contract has said comes with its data, or as a revert by its name.
 */
function isOfContract(cause: unknown): boolean {
  if (!(cause instanceof ContractFunctionRevertedError)) return false;
  return (isHex(cause.raw) && size(cause.raw) > 0) || /revert/i.test(cause.reason ?? "");
}

/** What nodes say of a signed transaction that they do not take, in each one's own words. */
export type Refusal = "known" | "nonce-used" | "underpriced" | "other";

/** Sorts what a node says by what to do about it: "other" is what nothing is known of. */
export function readRefusal(error: unknown): Refusal {
  const words = error instanceof BaseError ? `${error.details} ${error.message}` : String(error);
  if (/already ?(known|imported)|\bknown ?transaction/i.test(words)) return "known";
  if (/nonce ?(is )?too ?low|\bold ?nonce|nonce provided.* lower|invalid ?transaction.*stale/i.test(words))
    return "nonce-used";
  if (/underpriced|too low to replace|too ?low ?priority|less than block base fee|max fee per gas less/i.test(words))
    return "underpriced";
  return "other";
}

/** Whether a node says, in words of its own, that a search was of too many blocks, or found too much. */
export const isTooMuch = (error: unknown): boolean =>
  error instanceof BaseError && /range|limit|exceed|too (many|large|wide)|more than/i.test(error.details);

/** Why something could not go on, for the log and the queue: without its cause, which may name the node's key. */
export function notAsked(doing: string, error: unknown): Error {
  const { message, type } = summarize(error);
  return new Error(`the chain could not be asked (${doing}): ${type}: ${message}`);
}

/** An error for the log: viem's own words name the node's address, which may have a key in it. */
export function summarize(error: unknown): { type: string; message: string } {
  if (error instanceof BaseError) return { type: error.name, message: error.shortMessage };
  return error instanceof Error ? { type: error.name, message: error.message } : { type: "unknown", message: "" };
}
