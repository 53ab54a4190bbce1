import type { Connector } from "wagmi";
import { connect, disconnect, watchConnectors } from "wagmi/actions";
import { withWalletTimeout } from "../wallet-timeout.ts";
import { toLine } from "../to-line.ts";
import { walletTabs } from "../wallet-channel.ts";
import { walletConfig } from "../wallet-config.ts";
import { toConnectError, WalletError } from "../wallet-error.ts";
import { stopConnecting } from "../wallet-session.ts";

/** A wallet that can be connected. */
export type FoundWallet = { connector: Connector; name: string; icon: string | undefined };

/** wagmi's name for the provider at `window.ethereum`. */
const BARE = "injected";

/** Returns the wallets of this browser. Offers one that does not announce itself only if no other does. */
export async function findWallets(): Promise<FoundWallet[]> {
  const announced = walletConfig.connectors.filter(({ id }) => id !== BARE);
  if (announced.length > 0)
    return announced.map((connector) => ({ connector, name: toName(connector.name), icon: toIcon(connector.icon) }));
  const bare = walletConfig.connectors.find(({ id }) => id === BARE);
  return bare && (await bare.getProvider()) ? [{ connector: bare, name: "MetaMask", icon: undefined }] : [];
}

/** How many characters of a wallet's name to show. A wallet may call itself anything. */
const MOST_SHOWN = 40;

const toName = (said: unknown): string => toLine(said, MOST_SHOWN) || "Browser wallet";

/** Accepts only a picture in a data URL, by EIP-6963. No other is loaded here. */
const toIcon = (said: unknown): string | undefined =>
  typeof said === "string" && /^\s*data:image\//i.test(said) ? said.trim() : undefined;

/** Calls back when wallets announce themselves. Returns a function that ends this. */
export const watchWallets = (onChange: () => void): (() => void) => watchConnectors(walletConfig, { onChange });

/** Connects a wallet, which asks the member. Resolves to the account; rejects with a WalletError. */
export async function connectWallet({ connector, name }: FoundWallet): Promise<string> {
  try {
    const { accounts } = findConnection(connector) ?? (await withWalletTimeout(connect(walletConfig, { connector })));
    const [address] = accounts;
    if (address) {
      walletTabs.broadcast("connected");
      return address;
    }
    await disconnect(walletConfig, { connector });
  } catch (error) {
    stopConnecting();
    throw toConnectError(error, name);
  }
  throw new WalletError("no-account", "No account selected");
}

/** Returns the connection of a wallet whose owner agreed only after we had stopped waiting, or undefined. */
function findConnection({ uid }: Connector) {
  const { connections, current } = walletConfig.state;
  return current === uid ? connections.get(uid) : undefined;
}
