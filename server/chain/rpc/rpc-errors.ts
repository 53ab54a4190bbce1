import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  isHex,
  size,
} from "viem";

/** The chain refused a call for good. `errorName` is the contract's own. */
export class Refused extends Error {
  override name = "Refused";
  readonly errorName: string;

  constructor(errorName: string, options?: ErrorOptions) {
    super(errorName, options);
    this.errorName = errorName;
  }
}

/** Returns the name of the contract's error that stopped a call, or undefined if the contract did not stop it. */
export function findRevert(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const reverted = error.walk(isOfContract);
  if (reverted instanceof ContractFunctionRevertedError) return reverted.data?.errorName ?? "Reverted";
  if (foundNothing(error)) return "Reverted";
  return error.walk((cause) => cause instanceof ExecutionRevertedError) ? "Reverted" : undefined;
}

/** Whether a call found nothing where a contract is. A node says so if it is behind, or on another chain. */
export const foundNothing = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null;

/**
 * Whether an error is the contract's own. viem blames the contract for every internal error of a node (-32603), because
 * some networks report contract errors like that. A contract's error has data, or is called a revert.
 */
function isOfContract(cause: unknown): boolean {
  if (!(cause instanceof ContractFunctionRevertedError)) return false;
  return (isHex(cause.raw) && size(cause.raw) > 0) || /revert/i.test(cause.reason ?? "");
}

/** Why a node does not accept a signed transaction. Every node has its own words for it. */
export type Refusal = "known" | "nonce-used" | "underpriced" | "other";

/** Sorts a node's error by what to do about it. "other" is every error that we do not know. */
export function readRefusal(error: unknown): Refusal {
  const words = error instanceof BaseError ? `${error.details} ${error.message}` : String(error);
  if (/already ?(known|imported)|\bknown ?transaction/i.test(words)) return "known";
  if (/nonce ?(is )?too ?low|\bold ?nonce|nonce provided.* lower|invalid ?transaction.*stale/i.test(words))
    return "nonce-used";
  if (/underpriced|too low to replace|too ?low ?priority|less than block base fee|max fee per gas less/i.test(words))
    return "underpriced";
  return "other";
}

/** Whether a node says, in its own words, that a search spanned too many blocks or found too much. */
export const isTooMuch = (error: unknown): boolean =>
  error instanceof BaseError && /range|limit|exceed|too (many|large|wide)|more than/i.test(error.details);

/**
 * Describes for the log and the queue why work could not go on. Leaves out the cause, which may name the node's key.
 */
export function createRequestError(doing: string, error: unknown): Error {
  const { message, type } = summarize(error);
  return new Error(`the chain could not be asked (${doing}): ${type}: ${message}`);
}

/** Summarizes an error for the log. viem's own message names the node's address, which may contain a key. */
export function summarize(error: unknown): { type: string; message: string } {
  if (error instanceof BaseError) return { type: error.name, message: error.shortMessage };
  return error instanceof Error ? { type: error.name, message: error.message } : { type: "unknown", message: "" };
}
