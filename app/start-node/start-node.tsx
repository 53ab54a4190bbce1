import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { userQuery } from "../member/reads.ts";
import { Card } from "../ui/card.tsx";
import { Link } from "../ui/link.tsx";
import { KeyForm } from "./key-form.tsx";
import type { KeyRefusal, CreatedKey } from "./created-key.ts";
import { NodeNeeds } from "./node-needs.tsx";
import { StartCommand } from "./start-command.tsx";

type StartNodeProps = {
  /** The page with this card. */
  action: string;
  made: CreatedKey | null;
  refusal: KeyRefusal | null;
  /** The product's public address. */
  origin: string;
};

/** Helps a member start their first node: one button creates a key, and then the complete command shows. */
export function StartNode({ action, made, origin, refusal }: StartNodeProps) {
  const { data: user } = useQuery(userQuery(useRead()));
  return (
    <Card id="start-node" title="Start your node">
      {made ? (
        <StartCommand {...made} />
      ) : (
        <div className="grid gap-4">
          <p className="text-ink-2">
            Your node is a small program that runs on your machine and sends heartbeats. Each one that counts earns
            points.
          </p>
          {user?.has_node_key === true && (
            <p>
              You already have a key. We showed its command only once. If you no longer have it, create a new key here
              and revoke the old one under{" "}
              <Link to="/profile#devices" className="underline">
                Your machines
              </Link>
              .
            </p>
          )}
          <NodeNeeds address={origin} />
          <KeyForm action={action} refusal={refusal} suggestedName="My machine" />
        </div>
      )}
    </Card>
  );
}
