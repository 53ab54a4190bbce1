import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";

/** First six and last four characters of an address (product specification, section 2). */
export function shortenAddress(address: string): string {
  return address.length > 10 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}

/** The linked wallet in the header, with a button that copies its address. */
export function WalletChip({ address }: { address: string }) {
  return (
    <span className="num inline-flex h-8.5 items-center gap-1 rounded-control border border-line bg-surface ps-2.75 pe-1 text-small noscript:pe-2.75">
      <span title={address}>{shortenAddress(address)}</span>
      <CopyButton
        text={address}
        aria-label="Copy wallet address"
        className="grid size-6 place-items-center rounded-tag text-ink-3 hover:text-ink"
      >
        {(copied) =>
          copied ? <Icon name="check" className="size-3.5 text-good" /> : <Icon name="copy" className="size-3.5" />
        }
      </CopyButton>
    </span>
  );
}

/** The linked wallet at the foot of the sidebar. */
export function WalletBlock({ address, children }: { address: string | null; children?: React.ReactNode }) {
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
