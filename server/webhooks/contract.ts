import * as z from "zod";

const header = (example: string, most: number) => z.string(`Send this header, as ${example}.`).min(1).max(most);

/** What says whose a message is, as Standard Webhooks has it (https://www.standardwebhooks.com). */
export const WebhookHeaders = z.object({
  "webhook-id": header("msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", 200),
  "webhook-timestamp": header("1763640000", 20),
  "webhook-signature": header("v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=", 1000),
});
export type WebhookHeaders = z.infer<typeof WebhookHeaders>;
