import * as z from "zod";
import type { CheckedField } from "../forms/use-checked-form.ts";
import { Field } from "../ui/controls/field.tsx";

/** An instant as it is typed: a day and a time of UTC, or nothing. */
export const TypedMoment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/, "Choose a day and a time.")
  .transform((typed) => `${typed.length === 16 ? `${typed}:00` : typed}Z`)
  .pipe(z.iso.datetime("Choose a day and a time."))
  .optional()
  .transform((typed) => typed ?? null);

type MomentFieldProps = CheckedField & { label: string; required?: boolean; hint?: string };

/** Where one is typed. */
export const MomentField = ({ hint, ...field }: MomentFieldProps) => (
  <Field {...field} type="datetime-local" step={1} hint={hint ? `In UTC. ${hint}` : "In UTC."} />
);
