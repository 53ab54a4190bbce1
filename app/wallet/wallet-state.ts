import { useSyncExternalStore, type ComponentType } from "react";
import { useRouteLoaderData } from "react-router";

/** The wallet in this browser, as every page may know it without the libraries that speak to it. */
export type Wallet = {
  status: "disconnected" | "connecting" | "reconnecting" | "connected";
  /** Null while there is none; that of the last visit while it is coming back. */
  address: string | null;
  /** The network that the wallet is on. */
  chainId?: number | undefined;
};

/** A dialog that somebody has asked for. */
type WalletRequest = {
  dialog: "connect" | "link" | "change";
  /** Called once, with whether a wallet is connected now: the linking dialog is then up to who has asked. */
  settle?: ((connected: boolean) => void) | undefined;
};

type State = {
  /** Undefined until the island has something to say. */
  wallet?: Wallet;
  request?: WalletRequest | undefined;
  /** Ends the wait for a wallet that is slow to come back; undefined while there is nothing to end. */
  stopReconnecting?: (() => void) | undefined;
  /** What the island shows in places of the shell, so that the shell need not load it. */
  Panel?: ComponentType<Linked>;
  Other?: ComponentType<Linked>;
};

type Linked = { linked: string | null };

const BLANK: State = {};
let state = BLANK;
const listeners = new Set<() => void>();

export function setWalletState(part: State): void {
  state = { ...state, ...part };
  for (const listener of listeners) listener();
}

export const getWalletState = (): State => state;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useWalletState = (): State =>
  useSyncExternalStore(
    subscribe,
    () => state,
    () => BLANK,
  );

/** The wallet, also before there is a script: by the cookie it is coming back then, and never seems disconnected. */
export function useWallet(): Wallet {
  const shell = useRouteLoaderData<{ wallet?: string | null }>("shell");
  const { wallet } = useWalletState();
  const address = shell?.wallet ?? null;
  return wallet ?? { status: address ? "reconnecting" : "disconnected", address };
}

/** Whether a wallet is connected in this tab. False on the server, and until the wallet itself has said so. */
export const useWalletConnected = (): boolean => useWalletState().wallet?.status === "connected";

/** Opens a dialog of the wallet's; the island is loaded with the first. */
export const openWallet = (dialog: WalletRequest["dialog"]): void => setWalletState({ request: { dialog } });

/** Asks the member to connect a wallet. Resolves to whether they did. */
export function requestConnection(): Promise<boolean> {
  return new Promise((settle) => setWalletState({ request: { dialog: "connect", settle } }));
}
