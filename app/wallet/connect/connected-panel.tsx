import { shortenAddress } from "../short-address.ts";
import { Button } from "../../ui/controls/button.tsx";
import { isSameAddress } from "../same-address.ts";
import { disconnectWallet } from "../wallet-session.ts";
import { openWallet, useWallet, type Linked } from "../wallet-state.ts";

/** The actions for the connected wallet, and its address if it is not the linked one. */
export function ConnectedPanel({ linked }: Linked) {
  const { address } = useWallet();
  return (
    <>
      {address && !isSameAddress(address, linked) && (
        <>
          <span className="label">Connected</span>
          <span className="num text-hint" title={address}>
            {shortenAddress(address)}
          </span>
        </>
      )}
      {linked === null && (
        <Button variant="ink" onClick={() => openWallet("link")}>
          Link wallet
        </Button>
      )}
      <Button onClick={() => void disconnectWallet()}>Disconnect</Button>
    </>
  );
}
