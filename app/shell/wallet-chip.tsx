import type { ReactNode } from "react";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { isSameAddress } from "../wallet/same-address.ts";
import { useWallet, type Wallet } from "../wallet/wallet-state.ts";

/** First six and last four characters of an address (product specification, section 2). */
export function shortenAddress(address: string): string {
  return address.length > 10 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}

const CHIP =
  "num inline-flex h-8.5 items-center gap-2 rounded-control border border-line bg-surface text-small whitespace-nowrap";

/**
 * The linked wallet in the header, with a button that copies its address; beside it the connected one, where that is
 * another.
 */
export function WalletChip({ address }: { address: string | null }) {
  const wallet = useWallet();
  const other = wallet.status === "connected" && !isSameAddress(wallet.address, address) ? wallet.address : null;
  if (!address && !other) return null;
  return (
    <span className="inline-flex gap-2.5">
      {address && (
        <span className={`${CHIP} ps-2.75 pe-1 noscript:pe-2.75`}>
          {other ? <Name>Linked</Name> : <Dot {...wallet} />}
          <span title={address}>{shortenAddress(address)}</span>
          <CopyButton
            text={address}
            aria-label="Copy wallet address"
            className="-ms-1 grid size-6 place-items-center rounded-tag text-ink-3 hover:text-ink"
          >
            {(copied) =>
              copied ? <Icon name="check" className="size-3.5 text-good" /> : <Icon name="copy" className="size-3.5" />
            }
          </CopyButton>
        </span>
      )}
      {other && (
        <span className={`${CHIP} px-2.75 max-xl:hidden`}>
          <Name>Connected</Name>
          <span title={other}>{shortenAddress(other)}</span>
        </span>
      )}
    </span>
  );
}

const Name = ({ children }: { children: ReactNode }) => <span className="label">{children}</span>;

const DOTS: Record<Wallet["status"], [look: string, words: string]> = {
  connected: ["bg-good", "Connected"],
  connecting: ["bg-warn", "Connecting"],
  reconnecting: ["bg-warn", "Reconnecting"],
  disconnected: ["border border-line-field", "Not connected"],
};

/** As wide in every state, so that nothing moves when the wallet comes back. */
function Dot({ status }: Wallet) {
  const [look, words] = DOTS[status];
  return (
    <span title={words} className={`size-2 rounded-full forced-colors:border noscript:hidden ${look}`}>
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** The linked wallet at the foot of the sidebar. */
export function WalletBlock({ address, children }: { address: string | null; children?: ReactNode }) {
  return (
    <div className="grid gap-2.25 rounded-card border border-line bg-surface p-3 shadow-card">
      <span className="label">Wallet</span>
      {address ? (
        <span className="num text-hint" title={address}>
          {shortenAddress(address)}
        </span>
      ) : (
        <span className="text-hint text-ink-3">Not linked yet</span>
      )}
      {children}
    </div>
  );
}
