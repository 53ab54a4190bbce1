import * as z from "zod";
import { endpoint } from "../http/contract.ts";
import { UserStats } from "../points/contract.ts";

/** What of a member's can change while they look at it. */
export const LivePart = z.enum(["points", "heartbeats", "referrals", "content", "rewards", "profile", "machine-id"]);
export type LivePart = z.infer<typeof LivePart>;

export const LiveEvent = z
  .object({
    /** What is different since the event before, or since the one that `Last-Event-ID` names; often several at once. */
    changed: z.array(LivePart),
    /** As they are now, so that what shows them need not ask. */
    stats: UserStats,
  })
  .meta({ id: "LiveEvent" });
export type LiveEvent = z.infer<typeof LiveEvent>;

/**
 * Each event's id stands for the state it tells of. The first comes at once; without `Last-Event-ID` nothing has
 * changed in it. A comment comes every second when there is nothing to say. The stream ends with the session within
 * seconds, when another provider has to renew that, when the server stops, and after 20 to 40 minutes: come back after
 * the time that it has named in `retry`.
 */
export const readEvents = endpoint("GET /api/events", {
  summary: "What changes for the member, as it happens",
  headers: z.object({
    "last-event-id": z.string().max(200).optional().meta({ description: "The id of the last event that was seen" }),
  }),
  response: LiveEvent,
  streams: true,
});
