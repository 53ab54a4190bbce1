import * as z from "zod";

/** An instant as it is typed: a day and a time of UTC, or nothing. */
export const TypedMoment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/, "Choose a day and a time.")
  .transform((typed) => `${typed.length === 16 ? `${typed}:00` : typed}Z`)
  .pipe(z.iso.datetime("Choose a day and a time."))
  .optional()
  .transform((typed) => typed ?? null);

/** What is said below such a field. */
export const IN_UTC = "In UTC.";
