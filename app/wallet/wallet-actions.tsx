import { Button } from "../ui/controls/button.tsx";
import { openWallet, useWallet, useWalletState } from "./wallet-state.ts";

/** Connects and disconnects the wallet of this browser. What needs a connection comes with the island. */
export function WalletActions({ linked }: { linked: string | null }) {
  const { status } = useWallet();
  const { Panel } = useWalletState();
  if (Panel && status === "connected") return <Panel linked={linked} />;
  const isBusy = status !== "disconnected";
  return (
    <Button aria-disabled={isBusy} onClick={() => isBusy || openWallet("connect")} className="noscript:hidden">
      {isBusy ? "Reconnecting…" : "Connect wallet"}
    </Button>
  );
}
