import type { SubmissionResult } from "@conform-to/dom";
import { useEffect, useState, type FormEvent } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { findConstraintErrors, type ConstraintMessages } from "../ui/controls/constraint-errors.ts";
import { SECRET_FIELDS } from "./secret-fields.ts";

export type CheckedFormOptions<Fields> = {
  id: string;
  /** The response of the action. */
  lastResult: SubmissionResult | null | undefined;
  defaultValue?: Partial<Record<keyof Fields, string | null>>;
  /**
   * The messages for each field that breaks its own HTML constraints. Without any, only the action judges, and its
   * message for one field stays while the reader types in another.
   */
  messages?: ConstraintMessages;
};

type Errors = NonNullable<SubmissionResult["error"]>;

/** The props of a form's field, for the component that shows it. */
export type CheckedField = { id: string; name: string; errors: string[] | undefined; defaultValue?: string };

/**
 * Sets up a form that works before any script does. The browser checks it by its HTML constraints, with our messages
 * once a script runs, and the action checks it again with the real schema. Returns the errors of the form as a whole,
 * the props of its fields by name, and those for `Form`.
 */
export function useCheckedForm<Fields extends Record<string, unknown>>({
  id,
  lastResult,
  defaultValue,
  messages,
}: CheckedFormOptions<Fields>) {
  // The errors found here count until the action has responded again.
  const [own, setOwn] = useState<{ after: typeof lastResult; errors: Errors }>();
  const [initial] = useState<Record<string, unknown>>(() => ({ ...defaultValue, ...lastResult?.initialValue }));
  const isJudgedHere = own !== undefined && own.after === lastResult;
  const errors: Errors = (isJudgedHere ? own.errors : lastResult?.error) ?? {};

  // Until then the browser itself says what is wrong.
  const noValidate = useHydrated() || !messages;

  useEffect(() => {
    const form = document.getElementById(id);
    if (form instanceof HTMLFormElement && lastResult?.error) focusFirst(form, lastResult.error);
  }, [id, lastResult]);

  function check(form: HTMLFormElement) {
    const found = messages ? findConstraintErrors(form, messages) : {};
    setOwn({ after: lastResult, errors: found });
    return found;
  }
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (!messages) return;
    const found = check(event.currentTarget);
    if (Object.keys(found).length === 0) return;
    event.preventDefault();
    focusFirst(event.currentTarget, found);
  }
  function onInput({ currentTarget }: FormEvent<HTMLFormElement>) {
    if (messages && (isJudgedHere || lastResult)) check(currentTarget);
  }
  function field(name: keyof Fields & string): CheckedField {
    const known = SECRET_FIELDS.includes(name) ? undefined : initial[name];
    const found = { id: `${id}-${name}`, name, errors: errors[name] ?? undefined };
    return typeof known === "string" ? { ...found, defaultValue: known } : found;
  }
  return { errors: errors[""] ?? undefined, field, props: { id, noValidate, onSubmit, onInput } };
}

function focusFirst(form: HTMLFormElement, errors: Errors) {
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) continue;
    if (control.type === "hidden" || !errors[control.name]?.length) continue;
    return control.focus();
  }
}
