import { formsOf } from "./database/dump-database.ts";

/**
 * The secrets that stand in a text, in whatever form. A code is six digits of their own, and not a fraction of a
 * second, which turn up by chance.
 */
export function findSecrets(text: string, secrets: Iterable<string>): string[] {
  const numbers = new Set(text.match(/(?<!\w|\d\.)\d{6}(?!\w)/g));
  const isThere = (form: string) => (/^\d{6}$/.test(form) ? numbers.has(form) : text.includes(form));
  return [...secrets].filter((secret) => formsOf(secret).some(isThere));
}
