/** What a member does with the wallet in one tab, the others do too. */
export type WalletNews = "connected" | "disconnected";

let channel: BroadcastChannel | undefined;

/**
 * Tells the other tabs. Not left to wagmi's entry in local storage: a tab that looks for its wallet writes there, too,
 * that it has none, and two tabs would take each other's word for ever.
 */
export function tellOtherTabs(news: WalletNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  openChannel()?.postMessage(news);
}

/** Calls back with what was done in other tabs. */
export function followOtherTabs(follow: (news: WalletNews) => void): void {
  openChannel()?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (data === "connected" || data === "disconnected") follow(data);
  });
}

/** Undefined in a browser without channels: its tabs learn of it when they load again. */
function openChannel(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  channel ??= new BroadcastChannel("wallet");
  return channel;
}
