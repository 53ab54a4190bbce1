import type { Connector } from "wagmi";
import { getConnection, reconnect, watchConnection } from "wagmi/actions";
import { isLocked } from "./is-locked.ts";
import { lookPatiently } from "./look-patiently.ts";
import { patiently, READ_PATIENCE_MS } from "./patience.ts";
import { walletTabs, type WalletNews } from "./wallet-channel.ts";
import { walletConfig } from "./wallet-config.ts";
import { readWalletCookie, walletCookie } from "./wallet-cookie.ts";
import { WalletError } from "./wallet-error.ts";
import { setWalletState } from "./wallet-state.ts";
import { keepCookie } from "../cookies/plain-cookie.ts";
import { showToast } from "../ui/toast/toast.ts";

/** Milliseconds after which a wallet is slow to come back, so that the member may do without it. */
const SLOW_MS = 2000;

let started: Promise<void> | undefined;
/** Until this is true nobody is told of being disconnected: the wallet may yet come back. */
let isSettled = false;
/** A wallet has not answered: it is given up, but not forgotten. */
let isSilent = false;

/** Follows the wallet from now on, beginning with the connection of the last visit. Resolves when that is settled. */
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

/** Rejects once nobody wants to wait any more for a wallet that is coming back. */
let ended = Promise.withResolvers<never>();

function stopWaiting() {
  // Perhaps nobody does wait.
  ended.promise.catch(() => {});
  ended.reject(new WalletError("closed", null));
  ended = Promise.withResolvers<never>();
}

async function findAgain() {
  setWalletState({ wallet: { status: "reconnecting", address: rememberedAddress() } });
  const timer = setTimeout(() => setWalletState({ stopReconnecting: stopWaiting }), SLOW_MS);
  const { promise: cancelled } = ended;
  await lookPatiently(async () => {
    const found = await reconnectInTime(cancelled);
    // One that does not answer is not asked again.
    return isSilent || found.length > 0;
  });
  clearTimeout(timer);
  setWalletState({ stopReconnecting: undefined });
}

/** Ten seconds for all wallets together, or until the member does not want to wait any more. */
function reconnectInTime(cancelled = ended.promise) {
  isSilent = false;
  const over = patiently(cancelled, READ_PATIENCE_MS);
  // Without a wallet to wait for nobody listens to it.
  over.catch(() => {});
  return reconnect(walletConfig, { connectors: walletConfig.connectors.map((connector) => inTime(connector, over)) });
}

/** A wallet that answers in time or never: wagmi would wait for ever, and half connect one that answers late. */
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

/** Tells the pages, and the first byte of the next one. */
function publish() {
  const { addresses = [], chainId, status } = getConnection(walletConfig);
  // A wallet that shows no account is not connected yet, whatever wagmi calls it.
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
 * Forgets the wallet, unless it is locked: once it is open it lets the page in again. Others may be connected to it
 * still, since an extension need not be in each tab: they remember it then.
 */
async function forget() {
  const last = await walletConfig.storage?.getItem("recentConnectorId");
  const connector = walletConfig.connectors.find(({ id }) => id === last);
  if (connector && (await isLocked(connector))) return;
  // Somebody may have connected one meanwhile, or one has fallen silent.
  if (isSilent || walletConfig.state.status !== "disconnected") return;
  remember(null);
  walletTabs.tell("missing");
}

function remember(address: string | null) {
  keepCookie(walletCookie(address));
}

function follow(news: WalletNews) {
  const isConnected = walletConfig.state.status === "connected";
  if (news === "connected" && !isConnected) void reconnectInTime();
  if (news === "missing" && isConnected) publish();
  if (news !== "disconnected") return;
  // Nor does one come back that many wallets would still let in.
  stopWaiting();
  if (isConnected) dropConnection();
}

/** Forgets the connection here, without a word to the wallet: it has ended it already. */
export function dropConnection(): void {
  walletConfig.setState((before) => ({ ...before, connections: new Map(), current: null, status: "disconnected" }));
}

/** Where nobody waits for the wallet any more, wagmi still does: what the pages say is not to depend on that. */
export function stopConnecting(): void {
  if (!isSettled) return;
  walletConfig.setState((before) =>
    before.status === "connecting" ? { ...before, status: before.current ? "connected" : "disconnected" } : before,
  );
}

/**
 * Drops the connection, here and in the wallet, and says so. Not as wagmi does, which would then connect an account
 * that is chosen in a wallet that still lets this page in.
 */
export async function disconnectWallet(): Promise<void> {
  const { connector } = getConnection(walletConfig);
  dropConnection();
  // Whether it is locked or not.
  remember(null);
  walletTabs.tell("disconnected");
  try {
    await connector?.disconnect();
  } catch {
    // The extension may have been turned off since: here it is disconnected all the same.
  }
  showToast("Wallet disconnected", { tone: "success" });
}
