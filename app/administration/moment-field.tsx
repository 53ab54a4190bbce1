import * as z from "zod";
import type { CheckedField } from "../forms/use-checked-form.ts";
import { Field } from "../ui/controls/field.tsx";

/** An instant as it is typed: a day and a time of UTC, or nothing. */
export const TypedMoment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/, "Choose a day and a time.")
  .transform((typed) => `${typed.length === 16 ? `${typed}:00` : typed}Z`)
  .pipe(z.iso.datetime("Choose a day and a time."))
  .optional()
  .transform((typed) => typed ?? null);

type MomentFieldProps = CheckedField & { label: string; required?: boolean; hint?: string };

/** An instant as the field shows it: what nobody touches stays what it is, to the millisecond. */
export const toTypedMoment = (at: string): string => at.slice(0, 23).replace(/\.000$/, "");

/** Where one is typed. */
export const MomentField = ({ hint, ...field }: MomentFieldProps) => (
  <Field
    {...field}
    type="datetime-local"
    // Counted from the time that stands there: whole seconds could not be chosen beside one that has parts of them.
    step={field.defaultValue?.includes(".") ? 0.001 : 1}
    hint={hint ? `In UTC. ${hint}` : "In UTC."}
  />
);
