import * as z from "zod";
import type { CheckedField } from "../forms/use-checked-form.ts";
import { Field } from "../ui/controls/field.tsx";

/** An instant as it is typed: a date and a time in UTC, or nothing. */
export const TypedMoment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/, "Choose a day and a time.")
  .transform((typed) => `${typed.length === 16 ? `${typed}:00` : typed}Z`)
  .pipe(z.iso.datetime("Choose a day and a time."))
  .optional()
  .transform((typed) => typed ?? null);

type MomentFieldProps = CheckedField & { label: string; required?: boolean; hint?: string };

/** Formats an instant for the field. Left untouched, it keeps its value to the millisecond. */
export const toTypedMoment = (at: string): string => at.slice(0, 23).replace(/\.000$/, "");

/** Renders a field for an instant. */
export const MomentField = ({ hint, ...field }: MomentFieldProps) => (
  <Field
    {...field}
    type="datetime-local"
    // Steps count from the default value. From one with milliseconds, steps of a second would never reach a whole
    // second.
    step={field.defaultValue?.includes(".") ? 0.001 : 1}
    hint={hint ? `In UTC. ${hint}` : "In UTC."}
  />
);
