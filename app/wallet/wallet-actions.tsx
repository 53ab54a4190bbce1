import { shortenAddress } from "../shell/wallet-chip.tsx";
import { Button } from "../ui/button.tsx";
import { showToast } from "../ui/toast.ts";
import { isSameAddress } from "./same-address.ts";
import { openWallet, useWallet } from "./wallet-state.ts";

const BUSY = { connecting: "Connecting…", reconnecting: "Reconnecting…" };

/** Connects and disconnects the wallet of this browser. */
export function WalletActions({ linked }: { linked: string | null }) {
  const { address, status } = useWallet();
  if (status !== "connected" || !address) {
    const isBusy = status !== "disconnected" && status !== "connected";
    return (
      <Button
        aria-disabled={isBusy}
        onClick={() => !isBusy && openWallet("connect")}
        className="w-full noscript:hidden"
      >
        {isBusy ? BUSY[status] : "Connect wallet"}
      </Button>
    );
  }
  return (
    <>
      {!isSameAddress(address, linked) && (
        <span className="text-hint text-ink-2">
          Connected <span className="num">{shortenAddress(address)}</span>
        </span>
      )}
      {linked === null && (
        <Button variant="ink" onClick={() => openWallet("link")}>
          Link wallet
        </Button>
      )}
      <Button onClick={() => void dropWallet()}>Disconnect</Button>
    </>
  );
}

async function dropWallet() {
  const { disconnectWallet } = await import("./wallet-session.ts");
  await disconnectWallet();
  showToast("Wallet disconnected", { tone: "success" });
}
