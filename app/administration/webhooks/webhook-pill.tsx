import type { Webhook } from "../../../server/webhooks/contract.ts";
import { Pill } from "../../ui/pill.tsx";

/** Shows whether a webhook is active or paused. */
export const WebhookPill = ({ webhook: { paused } }: { webhook: Pick<Webhook, "paused"> }) =>
  paused ? <Pill tone="warn">Paused</Pill> : <Pill tone="good">Active</Pill>;
