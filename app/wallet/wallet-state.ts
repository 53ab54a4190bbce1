import { useSyncExternalStore, type ComponentType } from "react";
import { useRouteLoaderData } from "react-router";
import { createStore } from "../ui/store.ts";

/** The wallet of this browser, as far as every page may know it without the libraries that talk to wallets. */
export type Wallet = {
  status: "disconnected" | "connecting" | "reconnecting" | "connected";
  /** Null if there is none. While it reconnects, the address of the last visit. */
  address: string | null;
  /** The network that the wallet is on. */
  chainId?: number | undefined;
};

/** A dialog that was requested. */
type WalletRequest = {
  dialog: "connect" | "link" | "change";
  /** Called once, with whether a wallet is connected now. The linking dialog is then up to the caller. */
  settle?: ((connected: boolean) => void) | undefined;
};

type State = {
  /** Undefined until the island has reported. */
  wallet?: Wallet;
  request?: WalletRequest | undefined;
  /** Ends the wait for a wallet that is slow to reconnect. Undefined if there is nothing to end. */
  stopReconnecting?: (() => void) | undefined;
  /** Components that the island provides for places in the shell, so that the shell need not load it. */
  Panel?: ComponentType<Linked>;
  Other?: ComponentType<Linked>;
};

/** The address that is linked to the account: null if there is none, and undefined if that is not known. */
export type Linked = { linked: string | null | undefined };

const BLANK: State = {};
const state = createStore(BLANK);

export const setWalletState = (part: State): void => state.set({ ...state.get(), ...part });
export const getWalletState = state.get;
export const useWalletState = (): State => useSyncExternalStore(state.subscribe, state.get, () => BLANK);

/**
 * Returns the wallet, even before a script runs. By its cookie it is then reconnecting, and never seems disconnected.
 */
export function useWallet(): Wallet {
  const shell = useRouteLoaderData<{ wallet?: string | null }>("shell");
  const { wallet } = useWalletState();
  const address = shell?.wallet ?? null;
  return wallet ?? { status: address ? "reconnecting" : "disconnected", address };
}

/** Returns whether a wallet is connected in this tab. False on the server, and until the wallet itself has said so. */
export const useWalletConnected = (): boolean => useWalletState().wallet?.status === "connected";

/** Opens a dialog of the wallet. The island loads with the first one. */
export const openWallet = (dialog: WalletRequest["dialog"]): void => setWalletState({ request: { dialog } });

/** Asks the member to connect a wallet. Resolves to whether they did. */
export function requestConnection(): Promise<boolean> {
  return new Promise((settle) => setWalletState({ request: { dialog: "connect", settle } }));
}
