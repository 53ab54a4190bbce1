import { shortenAddress } from "../short-address.ts";
import { isSameAddress } from "../same-address.ts";
import { useWallet } from "../wallet-state.ts";

/** The connected account in the header, where it is not the linked one. */
export function OtherAccount({ linked }: { linked: string | null }) {
  const { address, status } = useWallet();
  if (status !== "connected" || !address || isSameAddress(address, linked)) return null;
  return (
    <span className="num inline-flex h-8.5 items-center gap-2 rounded-control border border-warn bg-surface px-2.75 text-small whitespace-nowrap max-xl:hidden">
      <span className="label">{linked ? "Connected" : "Not linked"}</span>
      <span title={address}>{shortenAddress(address)}</span>
    </span>
  );
}
