import { shortenAddress } from "../short-address.ts";
import { isSameAddress } from "../same-address.ts";
import { useWallet, type Linked } from "../wallet-state.ts";

/** The connected account in the header, if it is not the linked one and both have room. The sidebar shows it too. */
export function OtherAccount({ linked }: Linked) {
  const { address, status } = useWallet();
  if (status !== "connected" || !address || isSameAddress(address, linked)) return null;
  return (
    <span className="num chip border-warn max-[80rem]:hidden">
      <span className="label">{linked ? "Connected" : "Not linked"}</span>
      <span title={address}>{shortenAddress(address)}</span>
    </span>
  );
}
