import { useEffect, useState } from "react";
import { watchStorage } from "../session/tabs.ts";
import { showToast } from "../ui/toast/toast.ts";
import type { WalletIsland } from "./wallet-island.tsx";
import { setWalletState, useWallet, useWalletState, type Linked } from "./wallet-state.ts";

/** Where wagmi keeps the connections. If another tab writes it, that tab has connected or disconnected. */
const STORE = "wagmi.store";

/**
 * Loads the code that talks to wallets once it is needed: a wallet was connected before, here or in another tab, or is
 * requested.
 */
export function WalletHost({ linked }: Linked) {
  const [Island, setIsland] = useState<typeof WalletIsland>();
  const [isElsewhere, setElsewhere] = useState(false);
  const { request } = useWalletState();
  const isNeeded = useWallet().status !== "disconnected" || isElsewhere || request !== undefined;

  useEffect(() => watchStorage((key) => key === STORE && setElsewhere(true)), []);
  useEffect(() => {
    if (!isNeeded) return;
    import("./wallet-island.tsx").then(
      (loaded) => setIsland(() => loaded.WalletIsland),
      () => {
        request?.settle?.(false);
        setWalletState({ wallet: { status: "disconnected", address: null }, request: undefined });
        showToast("Failed to connect wallet", { tone: "error" });
      },
    );
  }, [isNeeded, request]);

  return Island && <Island linked={linked} />;
}
