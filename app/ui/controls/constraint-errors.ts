import { parse, type Submission } from "@conform-to/react";

/** A sentence for each way the browser's own validation can fail, by the name of the control. */
export type ConstraintMessages = Record<string, [flaw: keyof ValidityState, message: string][]>;

/**
 * A Conform submission judged by the form's HTML constraints (required, type, minlength and the like), with our words.
 * It stands in for a schema in the browser; the server validates again with the real one.
 */
export function validateConstraints<Schema extends Record<string, unknown>>(
  form: HTMLFormElement,
  formData: FormData,
  messages: ConstraintMessages,
): Submission<Schema> {
  return parse<Schema, string[]>(formData, {
    resolve: () => {
      const failures = Object.entries(messages).flatMap(([name, texts]): [string, string[]][] => {
        const control = form.elements.namedItem(name);
        const found = control instanceof HTMLInputElement && texts.find(([flaw]) => control.validity[flaw]);
        return found ? [[name, [found[1]]]] : [];
      });
      return failures.length > 0 ? { error: Object.fromEntries(failures) } : {};
    },
  });
}
