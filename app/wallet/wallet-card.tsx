import type { ReactNode } from "react";
import { asText } from "../cache/as-text.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { Button, buttonClass } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Pill } from "../ui/pill.tsx";
import { showToast } from "../ui/toast/toast.ts";
import { isSameAddress } from "./same-address.ts";
import { WALLET_RULE } from "./sign/sign-words.ts";
import { ConnectButton } from "./wallet-actions.tsx";
import { openWallet, useWallet } from "./wallet-state.ts";
import { walletChangeEligibilityQuery } from "./reads.ts";

/** The wallet linked to the account and the one connected in this browser, which need not be the same. */
export function WalletCard({ linked }: { linked: string | null }) {
  const { address, chainId, status } = useWallet();
  const connected = status === "connected" ? address : null;
  return (
    <Card
      id="wallet"
      title="Wallet"
      said={`${linked} ${connected}`}
      aside={<Pill tone={linked ? "good" : "mute"}>{linked ? "Linked" : "Not linked"}</Pill>}
    >
      <div className="grid gap-4">
        {!linked && (
          <p className="text-ink-2">Your Smart Account and Machine ID will belong to your wallet. {WALLET_RULE}</p>
        )}
        {(linked || connected) && (
          <dl className="grid gap-4 @5xl/page:grid-cols-2">
            {linked && (
              <Row name="Linked">
                <Address address={linked} />
              </Row>
            )}
            {connected && !isSameAddress(connected, linked) && (
              <Row name="Connected">
                <Address address={connected} />
              </Row>
            )}
            {connected && (
              <Row name="Network">
                <Network id={chainId} />
              </Row>
            )}
          </dl>
        )}
        <Actions linked={linked} connected={connected} />
        {linked && <ChangeNote />}
        <p className="hidden text-ink-2 noscript:block">
          Connecting and signing need JavaScript and a wallet in this browser.
        </p>
      </div>
    </Card>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <dt className="label">{name}</dt>
      <dd className="grid justify-items-start gap-2">{children}</dd>
    </div>
  );
}

function Address({ address }: { address: string }) {
  return (
    <>
      <span className="num text-hint wrap-anywhere">{address}</span>
      <CopyButton text={address} className={buttonClass({ size: "sm" })}>
        {(copied) => (copied ? "Copied!" : "Copy address")}
      </CopyButton>
    </>
  );
}

const IDENTITY_CHAIN = 3338;
const NETWORKS: Record<number, string> = { 1: "Ethereum", 11_155_111: "Sepolia", [IDENTITY_CHAIN]: "Peaq" };

/** The network that the wallet is on. A Machine ID needs another network than most wallets begin with. */
function Network({ id = 0 }: { id: number | undefined }) {
  return (
    <>
      <span>{NETWORKS[id] ?? `Chain ${id}`}</span>
      {id !== IDENTITY_CHAIN && (
        <Button size="sm" onClick={() => void moveWallet()}>
          Switch to Peaq
        </Button>
      )}
    </>
  );
}

async function moveWallet() {
  const { moveToIdentityChain, WalletError } = await import("./wallet-requests.ts");
  try {
    await moveToIdentityChain();
  } catch (error) {
    if (!(error instanceof WalletError)) throw error;
    if (error.toast) showToast(error.toast, { tone: "error" });
  }
}

function Actions({ linked, connected }: { linked: string | null; connected: string | null }) {
  if (!connected) {
    return (
      <div className="noscript:hidden">
        <ConnectButton variant={linked ? "quiet" : "ink"} />
      </div>
    );
  }
  return (
    <div className="flex flex-wrap gap-2.5">
      {!linked && (
        <Button variant="ink" onClick={() => openWallet("link")}>
          Link wallet
        </Button>
      )}
      {linked && <ChangeButton />}
      <Button onClick={() => void dropWallet()}>Disconnect</Button>
    </div>
  );
}

async function dropWallet() {
  const { disconnectWallet } = await import("./wallet-session.ts");
  await disconnectWallet();
}

export function ChangeButton() {
  const { data } = useQuery(walletChangeEligibilityQuery(useRead()));
  // If the backend says neither yes nor no, that counts as yes
  // (docs/decisions/0036-a-backend-of-only-the-specified-calls.md).
  if (!data || !(data.eligible ?? true)) return null;
  return <Button onClick={() => openWallet("change")}>Change wallet</Button>;
}

/** Says whether the linked wallet can still be changed, and if not, why. */
function ChangeNote() {
  const { data, error } = useQuery(walletChangeEligibilityQuery(useRead()));
  return <p className="text-hint text-ink-3">{error ? error.message : asText(data?.message)}</p>;
}
