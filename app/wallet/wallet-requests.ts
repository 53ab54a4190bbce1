import { isHex, numberToHex, type Address, type Hex, type TypedDataDefinition } from "viem";
import { getConnection, signMessage, signTypedData, switchChain } from "wagmi/actions";
import { withWalletTimeout, READ_TIMEOUT_MS } from "./wallet-timeout.ts";
import { IDENTITY_CHAIN, walletConfig } from "./wallet-config.ts";
import { findReason, signingError, toSigningError, WalletError } from "./wallet-error.ts";
import { dropConnection } from "./wallet-session.ts";

/** Exported with what throws it, so that code that loads this on demand gets both with one import. */
export { WalletError };

/** Returns the connected account. Throws a WalletError if there is none. */
export function connectedAddress(): Address {
  const [address] = getConnection(walletConfig).addresses ?? [];
  if (address) return address;
  throw signingError("not-connected");
}

/** Signs a text with an account of the connected wallet. Rejects with a WalletError. */
export const signText = (account: Address, message: string): Promise<Hex> =>
  requestSignature(() => signMessage(walletConfig, { account, message }));

/** EIP-712 data as the server provides it. */
export type TypedData = {
  domain: Record<string, unknown>;
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** Signs typed data with an account of the connected wallet. Rejects with a WalletError. */
export function signData(account: Address, data: TypedData): Promise<Hex> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- viem checks it before the wallet sees it
  const typedData = data as TypedDataDefinition;
  return requestSignature(() => signTypedData(walletConfig, { ...typedData, account }));
}

async function requestSignature(sign: () => Promise<unknown>): Promise<Hex> {
  try {
    return readSignature(await withWalletTimeout(readChain().then(sign)));
  } catch (error) {
    const failure = toSigningError(error);
    // The wallet has ended the connection, and did not say so.
    if (failure.reason === "unauthorized") dropConnection();
    throw failure;
  }
}

/**
 * Returns the network that the wallet itself says it is on. It may have changed silently, or while the page could not
 * hear it. wagmi would then refuse to sign, and would never move a wallet that it takes to be on the right network.
 */
async function readChain(): Promise<number | undefined> {
  const { chainId: known, connector } = getConnection(walletConfig);
  if (!connector) return undefined;
  // If the wallet does not answer this, the next request to it tells why.
  const chainId = await withWalletTimeout(connector.getChainId(), READ_TIMEOUT_MS).catch(() => known);
  if (chainId !== known) connector.emitter.emit("change", { chainId });
  return chainId;
}

/**
 * Checks a signature. Some wallets answer without one, and some count its parity from 0, where all others have 27 or 28
 * in its last byte.
 */
function readSignature(signature: unknown): Hex {
  if (!isHex(signature) || signature === "0x") throw signingError("no-signature");
  if (!/^0x[0-9a-f]{128}0[01]$/i.test(signature)) return signature;
  return `0x${signature.slice(2, -2)}${signature.endsWith("0") ? "1b" : "1c"}`;
}

/**
 * Moves the wallet to the identity network, and adds that network if the wallet does not know it. Rejects with a
 * WalletError that asks the member to do it in the wallet.
 */
export async function moveToIdentityChain(): Promise<void> {
  try {
    await withWalletTimeout(switchOrAdd());
  } catch (error) {
    const toast = `Please switch to the ${IDENTITY_CHAIN.name} network in your wallet.`;
    throw new WalletError("wrong-chain", toast, { cause: error });
  }
}

async function switchOrAdd() {
  if ((await readChain()) === IDENTITY_CHAIN.id) return;
  try {
    await switchChain(walletConfig, { chainId: IDENTITY_CHAIN.id });
  } catch (error) {
    const reason = findReason(error);
    if (reason === "rejected" || reason === "pending" || reason === "unanswered") throw error;
    await addIdentityChain();
    await switchChain(walletConfig, { chainId: IDENTITY_CHAIN.id });
  }
}

async function addIdentityChain() {
  const { blockExplorers, id, name, nativeCurrency, rpcUrls } = IDENTITY_CHAIN;
  const { connector } = getConnection(walletConfig);
  const provider: unknown = await connector?.getProvider();
  if (!isProvider(provider)) throw new WalletError("no-wallet", null);
  const chain = {
    chainId: numberToHex(id),
    chainName: name,
    nativeCurrency,
    rpcUrls: rpcUrls.default.http,
    blockExplorerUrls: [blockExplorers.default.url],
  };
  await provider.request({ method: "wallet_addEthereumChain", params: [chain] });
}

type Provider = { request: (call: { method: string; params: unknown[] }) => Promise<unknown> };

const isProvider = (value: unknown): value is Provider =>
  typeof value === "object" && value !== null && "request" in value && typeof value.request === "function";
