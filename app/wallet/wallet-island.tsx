import { useEffect } from "react";
import { ConnectedPanel } from "./connect/connected-panel.tsx";
import { ConnectDialog } from "./connect/connect-dialog.tsx";
import { OtherAccount } from "./connect/other-account.tsx";
import { isSameAddress } from "./same-address.ts";
import { SignDialog } from "./sign/sign-dialog.tsx";
import { startWallet } from "./wallet-session.ts";
import { getWalletState, openWallet, setWalletState, useWalletState, type Linked } from "./wallet-state.ts";

/** Follows the wallet of this browser and shows the dialogs that need it. Loaded once one of them is needed. */
export function WalletIsland({ linked }: Linked) {
  const { request } = useWalletState();
  useEffect(() => {
    setWalletState({ Panel: ConnectedPanel, Other: OtherAccount });
    void startWallet();
  }, []);
  if (!request) return null;
  if (request.dialog === "connect") {
    return (
      <ConnectDialog linked={linked ?? null} onConnected={(address) => continueAs(address, linked)} onClose={close} />
    );
  }
  return <SignDialog key={request.dialog} purpose={request.dialog} linked={linked ?? null} onClose={close} />;
}

/** Closes the dialog and settles its request, however it was closed. */
function close() {
  const { request } = getWalletState();
  setWalletState({ request: undefined });
  request?.settle?.(false);
}

/**
 * Continues after a wallet has connected. The linking dialog opens if no wallet is linked (product specification,
 * section 4). If the account is not the linked one, the dialog stays open and says so.
 */
function continueAs(address: string, linked: Linked["linked"]) {
  const { request } = getWalletState();
  const settle = request?.settle;
  if (settle) {
    setWalletState({ request: undefined });
    settle(true);
  } else if (linked === null) openWallet("link");
  else if (linked === undefined || isSameAddress(address, linked)) close();
}
