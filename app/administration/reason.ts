import * as z from "zod";

/** The names of the fields that every form has, and of the box to be ticked where something cannot be undone. */
export const REASON = "reason";
export const CONFIRM = "confirmed";

export const CONFIRMED = { [CONFIRM]: z.literal("on", "Tick the box to continue.") };
