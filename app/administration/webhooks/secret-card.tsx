import type { WebhookWithSecret } from "../../../server/webhooks/contract.ts";
import { Card } from "../../ui/card.tsx";
import type { Shown } from "../page.ts";
import { Code, Facts, Moment } from "../parts.tsx";

/** What a form that creates a secret shows once. */
export type Made = Pick<WebhookWithSecret, "url" | "secret" | "previousUntil">;

/** Shows the secret that was just created. No later page shows it again. */
export function SecretCard({ shown: { returned } }: { shown: Shown }) {
  if (!returned?.content) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every form here with content returns this
  const { previousUntil, secret, url } = returned.content as Made;
  return (
    <Card title="Copy the secret now">
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- no later page shows it, so reading starts here */}
      <div tabIndex={-1} autoFocus className="grid gap-4 outline-none">
        <p className="text-ink-2">
          You cannot see it again. Give it to whoever runs the receiver: it proves that a message is from us.
        </p>
        <Facts
          facts={[
            ["Address", <Code key="url">{url}</Code>],
            ["Secret", <Code key="secret">{secret}</Code>],
            ...(previousUntil === null
              ? []
              : [["Previous secret valid until", <Moment key="until" at={previousUntil} />] as const]),
          ]}
        />
      </div>
    </Card>
  );
}
