import * as z from "zod";
import type { Webhook } from "../../../server/webhooks/contract.ts";
import { formatNumber } from "../../ui/number/number.ts";
import { ActionForm, Folded, isReturned } from "../action-form.tsx";
import { defineForm, type Shown } from "../page.ts";

export const pauseForm = defineForm({
  intent: "pause-webhook",
  schema: z.object({}),
  async send({ reason }, { api, params: { id = "" } }) {
    const { changed } = await api.webhooks.pause(id, { reason });
    return { note: changed ? "webhook-paused" : "webhook-paused-already" };
  },
});

export const resumeForm = defineForm({
  intent: "resume-webhook",
  schema: z.object({}),
  async send({ reason }, { api, params: { id = "" } }) {
    const { changed, waiting } = await api.webhooks.resume(id, { reason });
    return changed ? { note: "webhook-resumed", about: formatNumber(waiting) } : { note: "webhook-resumed-already" };
  },
});

type PausingProps = { webhook: Webhook; shown: Shown };

/** Pauses the webhook, or resumes it if it is paused. */
export const Pausing = ({ webhook, shown }: PausingProps) =>
  webhook.paused ? <Resume webhook={webhook} shown={shown} /> : <Pause shown={shown} />;

const Pause = ({ shown }: { shown: Shown }) => (
  <Folded title="Pause the webhook" isOpen={isReturned(shown, pauseForm)}>
    <ActionForm form={pauseForm} shown={shown} submit="Pause the webhook">
      {() => (
        <p className="text-ink-2">
          Nothing is sent until you resume it. Messages wait for up to 30 days, then they are removed. A message that is
          being sent now may still arrive.
        </p>
      )}
    </ActionForm>
  </Folded>
);

const Resume = ({ webhook: { deliveries }, shown }: PausingProps) => (
  <Folded title="Resume the webhook" isOpen={isReturned(shown, resumeForm)}>
    <ActionForm form={resumeForm} shown={shown} submit="Resume the webhook">
      {() => (
        <p className="text-ink-2">
          {deliveries.waiting === 0
            ? "No messages are waiting."
            : `${formatMessageCount(deliveries.waiting)} waiting. We send the oldest first, one at a time.`}
        </p>
      )}
    </ActionForm>
  </Folded>
);

const formatMessageCount = (count: number) => (count === 1 ? "1 message is" : `${formatNumber(count)} messages are`);
