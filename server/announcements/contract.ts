import * as z from "zod";

/** The types of events that webhooks can receive. */
export const ANNOUNCED = ["member.verified", "reward.claimed", "referral.claimed", "machine_id.created"] as const;

export const AnnouncedType = z.enum(ANNOUNCED, { error: `Name events among ${ANNOUNCED.join(", ")}.` });
export type AnnouncedType = z.infer<typeof AnnouncedType>;
