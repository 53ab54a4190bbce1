/** A sentence for each way the browser's own validation can fail, by the name of the control. */
export type ConstraintMessages = Record<string, [flaw: keyof ValidityState, message: string][]>;

/**
 * What the form's HTML constraints (required, type, minlength and the like) say of what was typed, in our words, by the
 * name of the control. The server validates again with the real schema.
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
