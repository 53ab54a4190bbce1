/**
 * The most values in an answer. Checking one with a million mistakes takes seconds, and all memory. A page uses a few
 * thousand.
 */
const MAX_ENTRIES = 50_000;

/** Returns whether an answer has more values than any page uses, in all of its lists and objects together. */
export function hasTooManyEntries(answer: unknown): boolean {
  let count = 0;
  // A list of what is left, because an answer may be nested deeper than calls can be.
  const left: unknown[] = [answer];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    count += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (count > MAX_ENTRIES) return true;
    for (const inner of Object.values(value)) left.push(inner);
  }
  return false;
}
