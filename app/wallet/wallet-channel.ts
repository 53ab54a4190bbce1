import { openTopic } from "../session/tabs.ts";

/**
 * What one tab tells the others, so that all of them follow what the member does with the wallet in one. A tab that
 * finds no wallet speaks only for itself.
 */
const NEWS = ["connected", "disconnected", "missing"] as const;
export type WalletNews = (typeof NEWS)[number];

/**
 * wagmi's entry in local storage cannot do this. A tab that looks for its wallet also writes there that it has none,
 * and two tabs would believe each other for ever.
 */
export const walletTabs = openTopic("wallet", (value): value is WalletNews => NEWS.some((each) => each === value));
