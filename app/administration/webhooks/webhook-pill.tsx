import type { Webhook } from "../../../server/webhooks/contract.ts";
import { Pill } from "../../ui/pill.tsx";

/** Whether messages are sent to a webhook. */
export const WebhookPill = ({ webhook: { paused } }: { webhook: Pick<Webhook, "paused"> }) =>
  paused ? <Pill tone="warn">Paused</Pill> : <Pill tone="good">Active</Pill>;
