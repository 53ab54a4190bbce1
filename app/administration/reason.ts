import * as z from "zod";

/** Field names: the reason, which every form asks for, and the box to tick if an action cannot be undone. */
export const REASON = "reason";
export const CONFIRM = "confirmed";

export const CONFIRMED = { [CONFIRM]: z.literal("on", "Tick the box to continue.") };
