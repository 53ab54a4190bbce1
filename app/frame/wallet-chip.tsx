import type { ReactNode } from "react";
import { CopyButton, copyIcon } from "../ui/controls/copy-button.tsx";
import { useLostFocus } from "../ui/lost-focus.ts";
import { shortenAddress } from "../wallet/short-address.ts";
import { useWallet, useWalletState } from "../wallet/wallet-state.ts";

/**
 * The linked wallet in the header, with a button that copies its address. The dot shows whether it is connected. It has
 * the same width in every state, so that nothing moves when a wallet reconnects. If another account is connected, it
 * stands beside the wallet.
 */
export function WalletChip({ address }: { address: string | null }) {
  const { address: own, status } = useWallet();
  const { Other } = useWalletState();
  const isLinked = own?.toLowerCase() === address?.toLowerCase();
  const state = isLinked ? status : "disconnected";
  const dot = !isLinked ? "border border-line-field" : status === "connected" ? "bg-good" : "bg-warn";
  return (
    <>
      {address && (
        <span className="num chip pe-1 noscript:pe-2.75">
          <span title={state} className={`size-2 rounded-full noscript:hidden forced-colors:border ${dot}`}>
            <span className="sr-only">{`Wallet ${state}`}</span>
          </span>
          <span title={address}>{shortenAddress(address)}</span>
          <CopyButton
            text={address}
            aria-label="Copy wallet address"
            className="-ms-1 grid size-6 place-items-center rounded-tag text-ink-3 hover:text-ink"
          >
            {copyIcon}
          </CopyButton>
        </span>
      )}
      {Other && <Other linked={address} />}
    </>
  );
}

/** The linked wallet at the foot of the sidebar. */
export function WalletBlock({ address, children }: { address: string | null; children?: ReactNode }) {
  const { status } = useWallet();
  return (
    <div className="grid gap-2.25 rounded-card border border-line bg-surface p-3 shadow-card">
      <span ref={useLostFocus(status, true)} className="label">
        Wallet
      </span>
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
