import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";
import { UnsubscribeInput } from "../mailed-code/contract.ts";

/** After how many hours of silence an email can be sent. */
export const SILENCE_HOURS = [1, 3, 12, 24] as const;
const Hours = z.literal(SILENCE_HOURS, "Choose 1, 3, 12 or 24 hours.");

export const SilenceMail = z
  .object({
    /** Null if the member wants no emails. */
    afterHours: Hours.nullable(),
    /** Whether another email says that the node is back. */
    tellsReturn: z.boolean(),
  })
  .meta({ id: "SilenceMail" });
export type SilenceMail = z.infer<typeof SilenceMail>;

export const readSilenceMail = endpoint("GET /api/heartbeats/silence-mail", {
  summary: "After how many hours without a heartbeat the member gets an email",
  mayLag: true,
  response: SilenceMail,
});

export const setSilenceMail = endpoint("POST /api/heartbeats/silence-mail", {
  summary: "Choose after how many hours without a heartbeat to get an email, or none",
  body: SilenceMail,
  response: GenericResult,
});

export const unsubscribeSilenceMail = endpoint("POST /api/heartbeats/silence-mail/unsubscribe", {
  access: "anyone",
  summary: "Turn these emails off with the code of the link in one of them",
  body: UnsubscribeInput,
  response: GenericResult,
  fails: ["NOT_FOUND"],
});
