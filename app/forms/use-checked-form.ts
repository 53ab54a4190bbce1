import { getFormProps, useForm, type DefaultValue, type FieldMetadata, type SubmissionResult } from "@conform-to/react";
import { validateConstraints, type ConstraintMessages } from "../ui/controls/constraint-errors.ts";
import { NEVER_SENT_BACK } from "./never-sent-back.ts";

export type CheckedFormOptions<Fields> = {
  id: string;
  /** What the action has answered. */
  lastResult: SubmissionResult | null | undefined;
  defaultValue?: DefaultValue<Fields>;
  /**
   * What is said of each field that breaks its own HTML constraints. Without any the action alone judges, and what it
   * has said of one field stays while another is typed in.
   */
  messages?: ConstraintMessages;
};

/**
 * A form that works before any script does: the browser checks it by its HTML constraints, with our words once a script
 * is there, and the action checks it again with the real schema. Returns what is said of the form as a whole, its fields
 * (see fieldProps), and the props for `Form`.
 */
export function useCheckedForm<Fields extends Record<string, unknown>>({
  id,
  lastResult,
  defaultValue,
  messages,
}: CheckedFormOptions<Fields>) {
  const [form, fields] = useForm<Fields>({
    id,
    lastResult: lastResult ?? null,
    ...(defaultValue && { defaultValue }),
    ...(messages && {
      defaultNoValidate: false,
      shouldRevalidate: "onInput",
      onValidate: ({ form: element, formData }) => validateConstraints<Fields>(element, formData, messages),
    }),
  });
  return { errors: form.errors, fields, props: getFormProps(form, { ariaAttributes: false }) };
}

/** The props of a form's field for the component that shows it. */
export const fieldProps = ({ id, name, initialValue, errors }: FieldMetadata<string>) => ({
  id,
  name,
  errors,
  ...(!NEVER_SENT_BACK.includes(name) && { defaultValue: initialValue }),
});
