import { useEffect } from "react";
import { ConnectedPanel } from "./connect/connected-panel.tsx";
import { ConnectDialog } from "./connect/connect-dialog.tsx";
import { OtherAccount } from "./connect/other-account.tsx";
import { isSameAddress } from "./same-address.ts";
import { SignDialog } from "./sign/sign-dialog.tsx";
import { startWallet } from "./wallet-session.ts";
import { getWalletState, openWallet, setWalletState, useWalletState } from "./wallet-state.ts";

/** Follows the wallet of this browser and shows the dialogs that it takes part in. Loaded once one is needed. */
export function WalletIsland({ linked }: { linked: string | null }) {
  const { request } = useWalletState();
  useEffect(() => {
    setWalletState({ Panel: ConnectedPanel, Other: OtherAccount });
    void startWallet();
  }, []);
  if (!request) return null;
  if (request.dialog === "connect") {
    return <ConnectDialog linked={linked} onConnected={(address) => goOn(address, linked)} onClose={close} />;
  }
  return <SignDialog key={request.dialog} purpose={request.dialog} linked={linked} onClose={close} />;
}

/** However a dialog was closed: whoever waits for a connection learns of it. */
function close() {
  const { request } = getWalletState();
  setWalletState({ request: undefined });
  request?.settle?.(false);
}

/**
 * The linking dialog opens after a wallet connects (product specification, section 4), where none is linked. Another
 * account than the linked one stays in the dialog, which says so.
 */
function goOn(address: string, linked: string | null) {
  const { request } = getWalletState();
  const settle = request?.settle;
  if (settle) {
    setWalletState({ request: undefined });
    settle(true);
  } else if (linked === null) openWallet("link");
  else if (isSameAddress(address, linked)) close();
}
