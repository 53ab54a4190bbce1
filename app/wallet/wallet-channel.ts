import { openTopic } from "../session/tabs.ts";

/**
 * What a member does with the wallet in one tab, the others do too. One that finds no wallet speaks for itself alone.
 */
const NEWS = ["connected", "disconnected", "missing"] as const;
export type WalletNews = (typeof NEWS)[number];

/**
 * Not left to wagmi's entry in local storage: a tab that looks for its wallet writes there, too, that it has none, and
 * two tabs would take each other's word for ever.
 */
export const walletTabs = openTopic("wallet", (value): value is WalletNews => NEWS.some((each) => each === value));
