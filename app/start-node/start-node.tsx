import { Card } from "../ui/card.tsx";
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
          <NodeNeeds address={origin} />
          <KeyForm action={action} refusal={refusal} suggestedName="My machine" />
        </div>
      )}
    </Card>
  );
}
