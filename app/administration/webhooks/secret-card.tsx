import type { WebhookWithSecret } from "../../../server/webhooks/contract.ts";
import { Card } from "../../ui/card.tsx";
import type { Shown } from "../page.ts";
import { Code, Facts, Moment } from "../parts.tsx";

/** What a form that makes a secret shows, this once. */
export type Made = Pick<WebhookWithSecret, "url" | "secret" | "previousUntil">;

/** The secret that was just made: no later page has it. */
export function SecretCard({ shown: { returned } }: { shown: Shown }) {
  if (!returned?.content) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the forms of these pages with content have sent it
  const { previousUntil, secret, url } = returned.content as Made;
  return (
    <Card title="Copy the secret now">
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- no later page has it: its reader begins here */}
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
