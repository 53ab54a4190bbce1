import { createTransport } from "viem";
import { createConfig, createStorage, unstable_connector } from "wagmi";
import { mainnet, peaq, sepolia } from "wagmi/chains";
import { injected } from "wagmi/connectors/injected";
import { patiently, READ_PATIENCE_MS } from "./patience.ts";

/** Keeps wagmi's entries where the browser allows it: without storage a wallet is connected anew each time. */
const storage = createStorage({
  storage: {
    getItem: (key) => attempt(() => localStorage.getItem(key)),
    setItem: (key, value) => void attempt(() => localStorage.setItem(key, value)),
    removeItem: (key) => void attempt(() => localStorage.removeItem(key)),
  },
});

function attempt<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}

const askWallet = unstable_connector(injected, { retryCount: 3 });

/**
 * Whatever has to be read from a network is read by the wallet: pages may connect to no other host. wagmi itself would
 * wait for ever. Each of the tries has its time (product specification, section 9).
 */
const throughWallet: typeof askWallet = (parameters) => {
  const { config } = askWallet(parameters);
  return createTransport({
    ...config,
    timeout: READ_PATIENCE_MS,
    // `never` fits whatever type was asked for.
    request: (asked) => patiently<never>(config.request(asked), READ_PATIENCE_MS),
  });
};

/**
 * Wallets of browser extensions, found by EIP-6963, on the three chains of the specification. Only ever made in a
 * browser, and only once a wallet is needed.
 */
export const walletConfig = createConfig({
  chains: [mainnet, sepolia, peaq],
  connectors: [injected()],
  transports: { [mainnet.id]: throughWallet, [sepolia.id]: throughWallet, [peaq.id]: throughWallet },
  storage,
});

/** The network of Smart Accounts and Machine IDs: 3338. */
export const IDENTITY_CHAIN = peaq;
