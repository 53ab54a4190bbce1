import { createTransport } from "viem";
import { createConfig, createStorage, unstable_connector } from "wagmi";
import { mainnet, peaq, sepolia } from "wagmi/chains";
import { injected } from "wagmi/connectors/injected";
import { withWalletTimeout, READ_TIMEOUT_MS } from "./wallet-timeout.ts";

/** Keeps wagmi's entries if the browser allows it. Without storage, a wallet must be connected again on each visit. */
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

const createWalletConnector = unstable_connector(injected, { retryCount: 3 });

/**
 * Reads everything that comes from a network through the wallet, because pages may connect to no other host. wagmi
 * itself would wait for ever, so each try has a timeout (product specification, section 9).
 */
const throughWallet: typeof createWalletConnector = (parameters) => {
  const { config } = createWalletConnector(parameters);
  return createTransport({
    ...config,
    timeout: READ_TIMEOUT_MS,
    // `never` fits whatever type the caller asks for.
    request: (request) => withWalletTimeout<never>(config.request(request), READ_TIMEOUT_MS),
  });
};

/**
 * The wallets of browser extensions, found by EIP-6963, on the three chains of the specification. Created only in a
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
