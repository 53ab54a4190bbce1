/** A message for each way the browser's own validation can fail, by the name of the control. */
export type ConstraintMessages = Record<string, [flaw: keyof ValidityState, message: string][]>;

/**
 * Returns our messages for the controls that fail the form's HTML constraints (required, type, minlength and the like),
 * by the name of the control. The server validates again with the real schema.
 */
export function findConstraintErrors(form: HTMLFormElement, messages: ConstraintMessages): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([name, texts]): [string, string[]][] => {
      const control = form.elements.namedItem(name);
      const found = control instanceof HTMLInputElement && texts.find(([flaw]) => control.validity[flaw]);
      return found ? [[name, [found[1]]]] : [];
    }),
  );
}
