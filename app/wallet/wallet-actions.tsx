import { Button, type ButtonLook } from "../ui/controls/button.tsx";
import { openWallet, useWallet, useWalletState } from "./wallet-state.ts";

/** Connects and disconnects the wallet of this browser. What needs a connection comes with the island. */
export function WalletActions({ linked }: { linked: string | null }) {
  const { status } = useWallet();
  const { Panel } = useWalletState();
  if (Panel && status === "connected") return <Panel linked={linked} />;
  return <ConnectButton />;
}

/** Asks for a wallet, unless one is on its way back. */
export function ConnectButton({ variant }: Pick<ButtonLook, "variant">) {
  const isBusy = useWallet().status !== "disconnected";
  return (
    <Button
      variant={variant}
      aria-disabled={isBusy}
      onClick={() => isBusy || openWallet("connect")}
      className="noscript:hidden"
    >
      {isBusy ? "Reconnecting…" : "Connect wallet"}
    </Button>
  );
}
