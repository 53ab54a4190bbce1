import * as z from "zod";

/** The code of an unsubscribe link. */
export const UnsubscribeInput = z.object({ code: z.string().max(200) });
export type UnsubscribeInput = z.infer<typeof UnsubscribeInput>;

export const VERIFICATION_CODE_LENGTH = 6;
/** How many attempts each code allows. The next mail brings a new code with as many. */
export const CODE_ATTEMPTS = 5;

/**
 * The six digits of a mail. Accepts spaces and dashes between them, which are not the member's mistake, and removes
 * them.
 */
export const VerificationCode = z
  .string("Enter the code.")
  .meta({ description: "Six digits; spaces and dashes between them do not count", pattern: "^[\\s-]*(\\d[\\s-]*){6}$" })
  .transform((code) => code.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter the 6 digits of the code."));

export const PasswordResetState = z.enum(["NONE", "INITIAL", "FIRST_RESEND", "SECOND_RESEND", "MAX_ATTEMPTS"]);
export type PasswordResetState = z.infer<typeof PasswordResetState>;

/** A time in milliseconds that a `Date` can hold, also with any `LadderDuration` after it. */
export const LadderTime = z.number().min(0).max(8e15);
export const LadderDuration = z.number().min(0).max(1e12);

/** Where the resend ladder stands. Another mail can be requested `duration` after `timestamp`, both in milliseconds. */
export const Resend = z
  .object({ state: PasswordResetState, timestamp: LadderTime.int(), duration: LadderDuration.int() })
  .meta({ id: "Resend" });
export type Resend = z.infer<typeof Resend>;
