import { disconnect, getConnection, reconnect, watchConnection } from "wagmi/actions";
import { patiently } from "./patience.ts";
import { followOtherTabs, tellOtherTabs, type WalletNews } from "./wallet-channel.ts";
import { walletConfig } from "./wallet-config.ts";
import { readWalletCookie, walletCookie } from "./wallet-cookie.ts";
import { setWalletState } from "./wallet-state.ts";

/** A wallet may announce itself late: how often it is looked for again, and after how many milliseconds. */
const RETRIES = 3;
const RETRY_MS = 200;
/** Milliseconds that a wallet gets to say, unasked by anybody, whether it is still connected. */
const READ_TIMEOUT_MS = 10_000;

let started: Promise<void> | undefined;
/** Until this is true nobody is told of being disconnected: the wallet may yet come back. */
let isSettled = false;

/** Follows the wallet from now on, beginning with the connection of the last visit. Resolves when that is settled. */
export function startWallet(): Promise<void> {
  started ??= start();
  return started;
}

async function start() {
  watchConnection(walletConfig, { onChange: publish });
  followOtherTabs(follow);
  if (walletConfig.state.current !== null || rememberedAddress() !== null) await findAgain();
  isSettled = true;
  publish();
}

async function findAgain() {
  setWalletState({ wallet: { status: "reconnecting", address: rememberedAddress() } });
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    const found = await patiently(reconnect(walletConfig), READ_TIMEOUT_MS).catch(() => null);
    // One that does not answer is not asked again.
    if (found === null || found.length > 0) return;
  }
}

const rememberedAddress = () => readWalletCookie(document.cookie);

/** Tells the pages, and the first byte of the next one. */
function publish() {
  const { addresses = [], chainId, status } = getConnection(walletConfig);
  // A wallet that shows no account is not connected yet, whatever wagmi calls it.
  const [address] = addresses;
  if (status === "connected" && address) {
    remember(address);
    return setWalletState({ wallet: { status, address, chainId } });
  }
  if (!isSettled) return;
  if (status !== "disconnected") return setWalletState({ wallet: { status: "connecting", address: null } });
  remember(null);
  setWalletState({ wallet: { status, address: null } });
}

function remember(address: string | null) {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every browser
  document.cookie = walletCookie(address, new URL(location.href));
}

function follow(news: WalletNews) {
  const isConnected = walletConfig.state.status === "connected";
  if (news === "connected" && !isConnected) void reconnect(walletConfig);
  if (news === "disconnected" && isConnected) {
    walletConfig.setState((before) => ({ ...before, connections: new Map(), current: null, status: "disconnected" }));
  }
}

/** Drops the connection, here and in the wallet. */
export async function disconnectWallet(): Promise<void> {
  await disconnect(walletConfig);
  tellOtherTabs("disconnected");
}
