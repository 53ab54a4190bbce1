import type { ReactNode } from "react";
import type { NodePass } from "../../server/node-pass/contract.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { Card } from "../ui/card.tsx";
import { Guard } from "../ui/guard.tsx";
import { Pill } from "../ui/pill.tsx";
import { MovingNote } from "./moving-note.tsx";
import { NodePassMinting } from "./node-pass-minting.tsx";
import { formatQuantity } from "./quantity.ts";
import { TokenRow } from "./token-row.tsx";
import { nodePassQuery } from "./reads.ts";

/** The node passes of the linked wallet. Renders nothing if the product has no pass. */
export function NodePassCard() {
  const { data } = useQuery(nodePassQuery(useRead()));
  if (data?.state === "off") return null;
  return (
    <Guard data={data} fallback={<Unavailable />}>
      {(pass) => <Held {...pass} />}
    </Guard>
  );
}

const CARD = { id: "node-pass", title: "Node pass" };

function Held(pass: NodePass) {
  const balance = pass.holding?.balance;
  return (
    <Card
      {...CARD}
      aside={balance && <Pill tone={balance === "0" ? "mute" : "good"}>{balance === "0" ? "None" : "Held"}</Pill>}
    >
      <Passes {...pass} />
    </Card>
  );
}

/** The network of the pass may be out of reach while everything else works. */
function Unavailable() {
  return (
    <Card {...CARD}>
      <p className="text-ink-2">
        We cannot read your node pass right now. It is safe on its own network. Try again later.
      </p>
    </Card>
  );
}

function Passes({ contract, holding, minting, wallet }: NodePass) {
  if (!contract || !holding) {
    return <p className="text-ink-2">A node pass belongs to a wallet. Link yours to see the passes in it.</p>;
  }
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-4 @lg/page:grid-cols-3">
        <Fact name="In your wallet">{formatQuantity(holding.balance)}</Fact>
        <Fact name="Total passes">{formatQuantity(contract.totalSupply)}</Fact>
        <Fact name="Collection">
          <span className="wrap-anywhere">{contract.name ?? "No name"}</span>
          {contract.symbol && <span className="num text-hint text-ink-3"> {contract.symbol}</span>}
        </Fact>
      </dl>
      <Tokens {...holding} />
      {holding.balance !== "0" && <MovingNote operators={holding.operators} />}
      {minting && <NodePassMinting {...minting} />}
      <dl className="grid gap-3 border-t border-line pt-4">
        <Fact name="Contract">
          <span className="num text-hint wrap-anywhere">{contract.address}</span>
        </Fact>
        <Fact name={holding.balance === "0" ? "Your wallet" : "Owner"}>
          <span className="num text-hint wrap-anywhere">{wallet}</span>
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <dt className="label">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Tokens({ balance, tokens }: NonNullable<NodePass["holding"]>) {
  if (!tokens) return <p className="text-ink-2">This contract cannot list the passes of a wallet.</p>;
  if (tokens.length === 0) return null;
  return (
    <>
      <ul className="grid border-t border-line" aria-label="Your passes">
        {tokens.map((token) => (
          <TokenRow key={token.id} {...token} />
        ))}
      </ul>
      {balance !== null && balance !== String(tokens.length) && (
        <p className="text-hint text-ink-3">
          Showing {tokens.length} of {formatQuantity(balance)}.
        </p>
      )}
    </>
  );
}
