import { useEffect, useState } from "react";
import { Button, buttonClass } from "../../ui/controls/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { showToast } from "../../ui/toast/toast.ts";
import { connectWallet, findWallets, watchWallets, type FoundWallet } from "./connect-wallet.ts";
import { wordsOf, type ConnectStep } from "./connect-words.ts";
import { isLocked } from "../is-locked.ts";
import { retryWalletLookup } from "../retry-wallet-lookup.ts";
import { isSameAddress } from "../same-address.ts";
import { Addresses, Step } from "../step.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useIsMounted } from "../use-is-mounted.ts";
import { toConnectError } from "../wallet-error.ts";
import { disconnectWallet, stopConnecting } from "../wallet-session.ts";
import { useWallet } from "../wallet-state.ts";

type ConnectDialogProps = {
  /** The address that is linked to the account. */
  linked: string | null;
  onConnected: (address: string) => void;
  onClose: () => void;
};

/** Connects a wallet of this browser, and says at each step what comes next. */
export function ConnectDialog({ linked, onConnected, onClose }: ConnectDialogProps) {
  const wallets = useWallets();
  const { step, chosen, choose } = useChoice(onConnected);
  const { address, status } = useWallet();
  const isConnected = status === "connected" && address !== null;

  // Also runs when the account was changed in the wallet itself.
  useEffect(() => {
    if (isConnected && isSameAddress(address, linked)) onConnected(address);
  }, [isConnected, address, linked, onConnected]);

  function close() {
    // While the dialog is open, it says so itself, and can still show a wallet that announces itself late.
    if (wallets?.length === 0)
      showToast("Please install MetaMask to connect a wallet", { tone: "error", id: "install" });
    stopConnecting();
    onClose();
  }

  return (
    <Dialog shown cross title="Connect a wallet" onClose={close}>
      {isConnected && linked ? (
        <OtherAccount linked={linked} connected={address} isOneOfMany={wallets !== undefined && wallets.length > 1} />
      ) : chosen && step !== "choosing" ? (
        <WalletPrompt step={step} wallet={chosen} onRetry={() => choose(chosen)} />
      ) : wallets && wallets.length === 0 ? (
        <NoWallet />
      ) : (
        <WalletList wallets={wallets ?? []} onChoose={choose} />
      )}
    </Dialog>
  );
}

/** Returns the wallets of this browser, or undefined while it looks for them. */
function useWallets(): FoundWallet[] | undefined {
  const [wallets, setWallets] = useState<FoundWallet[]>();
  useEffect(() => {
    let isOver = false;
    async function detect() {
      const found = await findWallets();
      if (!isOver && found.length > 0) setWallets(found);
      return isOver || found.length > 0;
    }
    async function detectFirst() {
      let isFound = false;
      await retryWalletLookup(async () => (isFound = await detect()));
      if (isFound) return;
      setWallets([]);
    }
    void detectFirst();
    const end = watchWallets(() => void detect());
    return () => {
      isOver = true;
      end();
    };
  }, []);
  return wallets;
}

/** Returns the wallet that was chosen, and the step that its connection has reached. */
function useChoice(onConnected: (address: string) => void) {
  const [state, setState] = useState<{ step: ConnectStep; chosen?: FoundWallet }>({ step: "choosing" });
  const isOpen = useIsMounted();

  async function connect(chosen: FoundWallet) {
    setState({ step: "asking", chosen });
    if (await isLocked(chosen.connector)) setState({ step: "locked", chosen });
    try {
      onConnected(await connectWallet(chosen));
      // If the dialog stays open, it shows another account. Once that is gone, the member can choose again.
      setState({ step: "choosing" });
    } catch (error) {
      // A member who has closed the dialog no longer waits for this wallet.
      if (!isOpen.current) return;
      const { reason, toast } = toConnectError(error, chosen.name);
      if (toast) showToast(toast, { tone: "error" });
      setState({ step: reason, chosen });
    }
  }
  return { ...state, choose: (wallet: FoundWallet) => void connect(wallet) };
}

function WalletList({ wallets, onChoose }: { wallets: FoundWallet[]; onChoose: (wallet: FoundWallet) => void }) {
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">Connecting lets this page see your address. It moves nothing and costs nothing.</p>
      <ul className="grid min-h-11 gap-2.5">
        {wallets.map((wallet) => (
          <li key={wallet.connector.uid}>
            <Button size="lg" onClick={() => onChoose(wallet)} className="justify-start">
              {wallet.icon ? (
                <img src={wallet.icon} alt="" width="20" height="20" className="size-5 rounded-tag" />
              ) : (
                <Icon name="link" className="size-4.5 text-ink-3" />
              )}
              {wallet.name}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type WalletPromptProps = { step: ConnectStep; wallet: FoundWallet; onRetry: () => void };

function WalletPrompt({ step, wallet: { name }, onRetry }: WalletPromptProps) {
  const { tone, title, text } = wordsOf(step);
  return (
    <Step tone={tone} title={title(name)} text={text(name)}>
      {tone === "bad" && (
        <Button variant="ink" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Step>
  );
}

function NoWallet() {
  return (
    <Step
      title="No wallet in this browser"
      text="A wallet is a browser extension that keeps your keys. Install one, such as MetaMask, then reload this page."
    >
      <div className="flex flex-wrap justify-end gap-2.5">
        <Button onClick={() => location.reload()}>Reload the page</Button>
        <a
          href="https://metamask.io/download"
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ variant: "ink" })}
        >
          Install MetaMask
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      </div>
    </Step>
  );
}

type OtherAccountProps = { linked: string; connected: string; isOneOfMany: boolean };

function OtherAccount({ linked, connected, isOneOfMany }: OtherAccountProps) {
  return (
    <Step
      tone="bad"
      title="This is not your linked wallet"
      text="Choose the linked account in your wallet. This page updates by itself."
    >
      <Addresses
        rows={[
          ["Linked", linked],
          ["Connected", connected],
        ]}
      />
      {isOneOfMany && <Button onClick={() => void disconnectWallet()}>Use another wallet</Button>}
    </Step>
  );
}
