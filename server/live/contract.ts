import * as z from "zod";
import { endpoint } from "../http/contract.ts";
import { UserStats } from "../points/contract.ts";

/** The parts of a member's data that can change while they look at it. */
export const LivePart = z.enum(["points", "heartbeats", "referrals", "content", "rewards", "profile", "machine-id"]);
export type LivePart = z.infer<typeof LivePart>;

export const LiveEvent = z
  .object({
    /** What has changed since the previous event, or since the one in `Last-Event-ID`. Often several parts at once. */
    changed: z.array(LivePart),
    /** The current stats, so that pages need not load them again. */
    stats: UserStats,
  })
  .meta({ id: "LiveEvent" });
export type LiveEvent = z.infer<typeof LiveEvent>;

/**
 * The id of each event stands for the state that it reports. The first event is sent at once; without `Last-Event-ID`
 * its `changed` is empty. While nothing changes, a comment is sent every second. The stream ends within seconds of its
 * session, when the session is due at its authentication provider, when the server stops, and after 20 to 40 minutes.
 * Reconnect after the time in `retry`.
 */
export const readEvents = endpoint("GET /api/events", {
  summary: "What changes for the member, as it happens",
  headers: z.object({
    "last-event-id": z.string().max(200).optional().meta({ description: "The id of the last event that was seen" }),
  }),
  response: LiveEvent,
  streams: true,
});
