import { listEncodings } from "./database/dump-database.ts";

/**
 * Returns the secrets that a text contains, in any form. A code counts only as six digits on their own that are not a
 * fraction of a second: other digits match by chance.
 */
export function findSecrets(text: string, secrets: Iterable<string>): string[] {
  const numbers = new Set(text.match(/(?<!\w|\d\.)\d{6}(?!\w)/g));
  const isThere = (form: string) => (/^\d{6}$/.test(form) ? numbers.has(form) : text.includes(form));
  return [...secrets].filter((secret) => listEncodings(secret).some(isThere));
}
