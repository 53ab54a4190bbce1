import { toLine } from "./to-line.ts";

/** Why a request to a wallet failed. */
export type WalletReason =
  | "rejected"
  /** A request is already open in the wallet. */
  | "pending"
  /** No answer within a minute. */
  | "unanswered"
  | "no-wallet"
  | "no-account"
  | "not-connected"
  /** The wallet does not let this page do that, or no longer does. */
  | "unauthorized"
  | "wrong-account"
  /** The member has chosen another account since the wallet was asked. */
  | "account-changed"
  /** The wallet has answered, but not with a signature. */
  | "no-signature"
  | "wrong-chain"
  | "insufficient-funds"
  /** The member has closed the dialog. */
  | "closed"
  | "failed";

/** Shown for anything that needs a wallet while none is connected. */
export const NO_WALLET = "No wallet connected. Please connect your wallet first.";
const PROMPT_OPEN = "A request is already open in your wallet. Open your wallet and respond to it first.";

/** The messages of failures that have no toast. */
const TEXTS: Partial<Record<WalletReason, string>> = {
  pending: PROMPT_OPEN,
  "wrong-chain": "Your wallet is on another network.",
  closed: "No wallet was connected.",
};

/**
 * The error of a wallet that did not do what it was asked for. `toast` is what to say about it, in the specification's
 * words. The message is for the member, too, and always set.
 */
export class WalletError extends Error {
  override name = "WalletError";
  readonly reason: WalletReason;
  readonly toast: string | null;

  constructor(reason: WalletReason, toast: string | null, options?: ErrorOptions) {
    super(toast ?? TEXTS[reason] ?? "Your wallet could not do that.", options);
    this.reason = reason;
    this.toast = toast;
  }
}

const REJECTED = 4001;
const UNAUTHORIZED = 4100;
const UNKNOWN_CHAIN = 4902;
const PENDING = -32_002;

const BY_CODE: Record<number, WalletReason> = {
  [REJECTED]: "rejected",
  [UNAUTHORIZED]: "unauthorized",
  4901: "wrong-chain",
  [UNKNOWN_CHAIN]: "wrong-chain",
  [PENDING]: "pending",
};

/** Errors of wagmi and viem, by name: messages change between versions. */
const BY_NAME: Record<string, WalletReason> = {
  UserRejectedRequestError: "rejected",
  ConnectorNotConnectedError: "not-connected",
  ConnectorAccountNotFoundError: "wrong-account",
  ConnectorChainMismatchError: "wrong-chain",
  ChainNotConfiguredError: "wrong-chain",
  SwitchChainError: "wrong-chain",
  SwitchChainNotSupportedError: "wrong-chain",
  ProviderNotFoundError: "no-wallet",
  InsufficientFundsError: "insufficient-funds",
  TimeoutError: "unanswered",
};

/** The words of wallets that give neither a code nor a name. */
const BY_TEXT: [RegExp, WalletReason][] = [
  [/rejected|denied|cancell?ed/i, "rejected"],
  [/insufficient funds/i, "insufficient-funds"],
  [/timed? ?out/i, "unanswered"],
  [/\b(chain|network)\b/i, "wrong-chain"],
];

/** Returns why a wallet refused: by the deepest code, which is the wallet's own, then by name, and by its text last. */
export function findReason(error: unknown): WalletReason {
  if (error instanceof WalletError) return error.reason;
  const causes = listCauses(error);
  const code = causes.map(readCode).findLast((each) => each !== undefined);
  const byCode = code === undefined ? undefined : BY_CODE[code];
  if (byCode) return byCode;
  for (const { name } of causes) if (BY_NAME[name]) return BY_NAME[name];
  const text = causes.map(({ message }) => message).join(" ");
  return BY_TEXT.find(([pattern]) => pattern.test(text))?.[1] ?? "failed";
}

type Cause = { name: string; message: string; code?: unknown; data?: unknown };

function listCauses(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (
    let cause = error;
    isCause(cause) && !causes.includes(cause);
    cause = "cause" in cause ? cause.cause : undefined
  ) {
    causes.push(cause);
  }
  return causes;
}

const isCause = (value: unknown): value is Cause => typeof value === "object" && value !== null && "message" in value;

/** Reads the code of an error. MetaMask on phones wraps it once more. */
function readCode({ code, data }: Cause): number | undefined {
  const inner = typeof data === "object" && data !== null && "originalError" in data ? data.originalError : undefined;
  if (isCause(inner) && typeof inner.code === "number") return inner.code;
  return typeof code === "number" ? code : undefined;
}

/** What to say if there is no signature. Null if the dialog says enough, or if the cause is temporary. */
const SIGNING: Record<WalletReason, string | null> = {
  rejected: "Transaction cancelled",
  pending: PROMPT_OPEN,
  unanswered: "Request timed out. Please try again",
  "no-wallet": NO_WALLET,
  "no-account": "No account selected",
  "not-connected": NO_WALLET,
  unauthorized: NO_WALLET,
  "wrong-account": "Your wallet is on another account. Choose the connected one in it.",
  "account-changed": "Your wallet is on another account now. Please sign again.",
  "no-signature": "Signature is required",
  "wrong-chain": null,
  "insufficient-funds": "Insufficient funds in your wallet",
  closed: null,
  failed: null,
};

/** Turns any failure of a request to sign into a WalletError with its toast (product specification, section 8). */
export function toSigningError(error: unknown): WalletError {
  return error instanceof WalletError ? error : signingError(findReason(error), error);
}

/** Creates the error of a request to sign that failed for a known reason. */
export const signingError = (reason: WalletReason, cause?: unknown): WalletError =>
  new WalletError(reason, SIGNING[reason], { cause });

/** Turns any failure of a request to connect into a WalletError with its toast. `name` is the wallet's name. */
export function toConnectError(error: unknown, name: string): WalletError {
  if (error instanceof WalletError) return error;
  const reason = findReason(error);
  if (reason === "rejected") return new WalletError(reason, "Wallet connection was rejected", { cause: error });
  if (reason === "no-wallet") return new WalletError(reason, `${name} connector not found`, { cause: error });
  // The dialog says what to do.
  if (reason === "pending" || reason === "unauthorized") return new WalletError(reason, null, { cause: error });
  return new WalletError(reason, "Failed to connect wallet", { cause: error });
}

/** How many characters of a wallet's own words to show. */
const MAX_MESSAGE_LENGTH = 200;

/**
 * Returns a wallet's own words for its failure, without what viem adds for developers. Returns an empty string if there
 * are none.
 */
export function wordsOf({ cause }: WalletError): string {
  if (!(cause instanceof Error) || cause instanceof TypeError) return "";
  return toLine("details" in cause ? cause.details : cause.message, MAX_MESSAGE_LENGTH);
}
