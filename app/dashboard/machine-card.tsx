import { About } from "../ui/about.tsx";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { asText } from "../cache/as-text.ts";
import { machineIdStatusQuery } from "../machine-id/reads.ts";
import { RequirementList } from "../machine-id/requirement-list.tsx";
import { useIdentity } from "../machine-id/use-machine-id.ts";
import { userQuery } from "../member/reads.ts";
import { useRules } from "../points/use-rules.ts";
import { Card } from "../ui/card.tsx";
import { ButtonLink, buttonClass } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { shortenAddress } from "../wallet/short-address.ts";
import { useWalletConnected } from "../wallet/wallet-state.ts";

/** Shows the member's Machine ID or, until there is one, its requirements. */
export function MachineCard({ heartbeats }: { heartbeats: number }) {
  const read = useRead();
  const { data: user } = useQuery(userQuery(read));
  const { data: machineId } = useQuery(machineIdStatusQuery(read));
  const address = asText(useIdentity(machineId?.status === "completed")?.public_address);
  const walletConnected = useWalletConnected();
  const { heartbeatsRequired } = useRules();
  if (machineId?.status === "completed") return <FinishedCard address={address} />;
  return (
    <Card title="Machine ID Requirements">
      <RequirementList
        walletLinked={Boolean(user?.wallet)}
        walletConnected={walletConnected}
        heartbeats={heartbeats}
        required={heartbeatsRequired}
      />
    </Card>
  );
}

function FinishedCard({ address }: { address: string | null }) {
  return (
    <Card title="Your Machine ID">
      <div className="grid gap-3.5">
        {address && (
          <div className="flex items-center gap-2.5">
            <span className="num" title={address}>
              {shortenAddress(address)}
            </span>
            <CopyButton text={address} className={buttonClass({ size: "sm" }, "ms-auto")}>
              {(copied) => (
                <span>
                  {copied ? "Copied!" : "Copy"}
                  <About>Machine ID</About>
                </span>
              )}
            </CopyButton>
          </div>
        )}
        <ButtonLink to="/profile#identity">See your identity</ButtonLink>
      </div>
    </Card>
  );
}
