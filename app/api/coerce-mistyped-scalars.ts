import type * as z from "zod";

/** A number in a string. Databases write numbers that may be large this way, to lose no digits. */
const FIGURE = /^-?\d{1,40}(?:\.\d{1,40})?$/;

/**
 * Returns a copy of a response that breaks its contract. Numbers replace strings that contain them, and booleans
 * replace 1 and 0. Otherwise strings would be concatenated instead of added, and nobody would recognize 0 as no.
 */
export function coerceMistypedScalars(answer: unknown, issues: z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(answer);
  for (const issue of issues) {
    if (issue.code === "invalid_type") change(copy, issue.path, (value) => toExpected(issue.expected, value));
  }
  return copy;
}

function toExpected(expected: string, value: unknown): unknown {
  if (expected === "number" && typeof value === "string" && FIGURE.test(value)) return Number(value);
  if (expected === "boolean" && (value === 0 || value === 1)) return value === 1;
  return value;
}

/** Replaces the value at a path, if there is one. */
function change(whole: unknown, path: PropertyKey[], by: (value: unknown) => unknown): void {
  const name = path.at(-1);
  const holder = path.slice(0, -1).reduce(takeFrom, whole);
  if (name !== undefined && isObject(holder) && name in holder)
    Reflect.set(holder, name, by(Reflect.get(holder, name)));
}

const takeFrom = (within: unknown, name: PropertyKey): unknown =>
  isObject(within) ? Reflect.get(within, name) : undefined;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
