import type { Connector } from "wagmi";
import { getConnection, reconnect, watchConnection } from "wagmi/actions";
import { isLocked } from "./is-locked.ts";
import { retryWalletLookup } from "./retry-wallet-lookup.ts";
import { withWalletTimeout, READ_TIMEOUT_MS } from "./wallet-timeout.ts";
import { walletTabs, type WalletNews } from "./wallet-channel.ts";
import { walletConfig } from "./wallet-config.ts";
import { readWalletCookie, walletCookie } from "./wallet-cookie.ts";
import { WalletError } from "./wallet-error.ts";
import { setWalletState } from "./wallet-state.ts";
import { storeCookie } from "../cookies/plain-cookie.ts";
import { showToast } from "../ui/toast/toast.ts";

/** How long a wallet may take to reconnect before the member can cancel that, in milliseconds. */
const SLOW_MS = 2000;

let started: Promise<void> | undefined;
/** Whether the first attempt to reconnect is over. Until then no page is told of a disconnection. */
let isSettled = false;
/** Whether a wallet has not answered. It is then given up, but not forgotten. */
let isSilent = false;

/** Starts following the wallet, beginning with the connection of the last visit. Resolves when that is settled. */
export function startWallet(): Promise<void> {
  started ??= start();
  return started;
}

async function start() {
  watchConnection(walletConfig, { onChange: publish });
  walletTabs.follow(follow);
  if (walletConfig.state.current !== null || rememberedAddress() !== null) await findAgain();
  isSettled = true;
  publish();
}

/** Rejects once nobody wants to wait any longer for a wallet that is reconnecting. */
let ended = Promise.withResolvers<never>();

function stopWaiting() {
  // Handles the rejection in case nobody is waiting.
  ended.promise.catch(() => {});
  ended.reject(new WalletError("closed", null));
  ended = Promise.withResolvers<never>();
}

async function findAgain() {
  setWalletState({ wallet: { status: "reconnecting", address: rememberedAddress() } });
  const timer = setTimeout(() => setWalletState({ stopReconnecting: stopWaiting }), SLOW_MS);
  const { promise: cancelled } = ended;
  await retryWalletLookup(async () => {
    const found = await reconnectInTime(cancelled);
    // A wallet that does not answer is not asked again.
    return isSilent || found.length > 0;
  });
  clearTimeout(timer);
  setWalletState({ stopReconnecting: undefined });
}

/** Reconnects. All wallets together get ten seconds, or until the member no longer wants to wait. */
function reconnectInTime(cancelled = ended.promise) {
  isSilent = false;
  const over = withWalletTimeout(cancelled, READ_TIMEOUT_MS);
  // If there is no wallet to wait for, nothing handles the rejection.
  over.catch(() => {});
  return reconnect(walletConfig, { connectors: walletConfig.connectors.map((connector) => inTime(connector, over)) });
}

/**
 * Wraps a wallet so that it answers in time or never. wagmi would wait for ever, and half connect one that answers
 * late.
 */
function inTime(connector: Connector, over: Promise<never>): Connector {
  const wait = <T>(answer: Promise<T>) =>
    Promise.race([answer, over]).catch((error: unknown) => {
      isSilent = true;
      throw error;
    });
  return {
    ...connector,
    isAuthorized: () => wait(connector.isAuthorized()).catch(() => false),
    connect: (parameters) => wait(connector.connect(parameters)),
  };
}

const rememberedAddress = () => readWalletCookie(document.cookie);

/** Publishes the connection to the pages, and to the first byte of the next one. */
function publish() {
  const { addresses = [], chainId, status } = getConnection(walletConfig);
  // A wallet that shows no account is not connected yet, whatever wagmi says.
  const [address] = addresses;
  if (status === "connected" && address) {
    isSilent = false;
    remember(address);
    return setWalletState({ wallet: { status, address, chainId } });
  }
  if (!isSettled) return;
  if (status !== "disconnected") return setWalletState({ wallet: { status: "connecting", address: null } });
  if (!isSilent) void forget();
  setWalletState({ wallet: { status, address: null } });
}

/**
 * Forgets the wallet, unless it is locked: once unlocked, it lets the page in again. Other tabs may still be connected
 * to it, because an extension need not be in every tab. They then remember it again.
 */
async function forget() {
  const last = await walletConfig.storage?.getItem("recentConnectorId");
  const connector = walletConfig.connectors.find(({ id }) => id === last);
  if (connector && (await isLocked(connector))) return;
  // A wallet may have been connected meanwhile, or one may have stopped answering.
  if (isSilent || walletConfig.state.status !== "disconnected") return;
  remember(null);
  walletTabs.broadcast("missing");
}

function remember(address: string | null) {
  storeCookie(walletCookie(address));
}

function follow(news: WalletNews) {
  const isConnected = walletConfig.state.status === "connected";
  if (news === "connected" && !isConnected) void reconnectInTime();
  if (news === "missing" && isConnected) publish();
  if (news !== "disconnected") return;
  // A wallet that is reconnecting must not come back either: many would still let this page in.
  stopWaiting();
  if (isConnected) dropConnection();
}

/** Forgets the connection here, without telling the wallet. */
export function dropConnection(): void {
  walletConfig.setState((before) => ({ ...before, connections: new Map(), current: null, status: "disconnected" }));
}

/** Stops showing that a wallet is connecting once nobody waits for it. wagmi itself goes on waiting. */
export function stopConnecting(): void {
  if (!isSettled) return;
  walletConfig.setState((before) =>
    before.status === "connecting" ? { ...before, status: before.current ? "connected" : "disconnected" } : before,
  );
}

/**
 * Drops the connection, here and in the wallet, and says so. Does not disconnect through wagmi, which would then
 * connect an account that is chosen in a wallet that still lets this page in.
 */
export async function disconnectWallet(): Promise<void> {
  const { connector } = getConnection(walletConfig);
  dropConnection();
  // Forgets the wallet whether it is locked or not.
  remember(null);
  walletTabs.broadcast("disconnected");
  try {
    await connector?.disconnect();
  } catch {
    // The extension may have been turned off since. Here it is disconnected all the same.
  }
  showToast("Wallet disconnected", { tone: "success" });
}
