import { Button, type ButtonStyle } from "../ui/controls/button.tsx";
import { openWallet, useWallet, useWalletState, type Linked, type Wallet } from "./wallet-state.ts";

/** Connects and disconnects the wallet of this browser. The island provides what needs a connection. */
export function WalletActions({ linked }: Linked) {
  const { status } = useWallet();
  const { Panel } = useWalletState();
  if (Panel && status === "connected") return <Panel linked={linked} />;
  return <ConnectButton />;
}

const BUSY: Partial<Record<Wallet["status"], string>> = { connecting: "Connecting…", reconnecting: "Reconnecting…" };

/** Asks for a wallet, unless one is reconnecting. If that takes long, the button cancels it. */
export function ConnectButton({ variant }: Pick<ButtonStyle, "variant">) {
  const { status } = useWallet();
  const { stopReconnecting: cancel } = useWalletState();
  const isBusy = status !== "disconnected";
  return (
    <Button
      variant={variant}
      aria-disabled={isBusy && !cancel}
      onClick={cancel ?? (() => isBusy || openWallet("connect"))}
      className="noscript:hidden"
    >
      <span>{BUSY[status] ?? "Connect wallet"}</span>
      {cancel && <span className="underline">Cancel</span>}
    </Button>
  );
}
