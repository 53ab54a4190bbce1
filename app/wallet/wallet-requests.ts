import { isHex, numberToHex, type Address, type Hex, type TypedDataDefinition } from "viem";
import { getConnection, signMessage, signTypedData, switchChain } from "wagmi/actions";
import { patiently, READ_PATIENCE_MS } from "./patience.ts";
import { IDENTITY_CHAIN, walletConfig } from "./wallet-config.ts";
import { findReason, signingError, toSigningError, WalletError } from "./wallet-error.ts";
import { dropConnection } from "./wallet-session.ts";

/** Beside what throws it: who loads this when it is needed gets both with one import. */
export { WalletError };

/** The account that is connected. Throws a WalletError when there is none. */
export function connectedAddress(): Address {
  const [address] = getConnection(walletConfig).addresses ?? [];
  if (address) return address;
  throw signingError("not-connected");
}

/** Has an account of the connected wallet sign a text. Rejects with a WalletError. */
export const signText = (account: Address, message: string): Promise<Hex> =>
  ask(() => signMessage(walletConfig, { account, message }));

/** EIP-712 data as the server hands it out. */
export type TypedData = {
  domain: Record<string, unknown>;
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** Has an account of the connected wallet sign typed data. Rejects with a WalletError. */
export function signData(account: Address, data: TypedData): Promise<Hex> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- viem checks it before the wallet sees it
  const typedData = data as TypedDataDefinition;
  return ask(() => signTypedData(walletConfig, { ...typedData, account }));
}

async function ask(sign: () => Promise<unknown>): Promise<Hex> {
  try {
    return readSignature(await patiently(readChain().then(sign)));
  } catch (error) {
    const failure = toSigningError(error);
    // It has ended the connection by itself, and did not say so.
    if (failure.reason === "unauthorized") dropConnection();
    throw failure;
  }
}

/**
 * The network that the wallet itself says it is on. It may have changed without a word, or while the page could hear
 * none: wagmi would have nothing signed then, and never move a wallet that it takes to be on the right one.
 */
async function readChain(): Promise<number | undefined> {
  const { chainId: known, connector } = getConnection(walletConfig);
  if (!connector) return undefined;
  // Where it does not say, what it is asked for next tells why.
  const chainId = await patiently(connector.getChainId(), READ_PATIENCE_MS).catch(() => known);
  if (chainId !== known) connector.emitter.emit("change", { chainId });
  return chainId;
}

/**
 * Some wallets answer without a signature, and some count its parity from 0: its last byte is 27 or 28 to all others.
 */
function readSignature(signature: unknown): Hex {
  if (!isHex(signature) || signature === "0x") throw signingError("no-signature");
  if (!/^0x[0-9a-f]{128}0[01]$/i.test(signature)) return signature;
  return `0x${signature.slice(2, -2)}${signature.endsWith("0") ? "1b" : "1c"}`;
}

/**
 * Moves the wallet to the identity network, which it is told about where it does not know it. Rejects with a
 * WalletError that says to do it in the wallet.
 */
export async function moveToIdentityChain(): Promise<void> {
  try {
    await patiently(switchOrAdd());
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
