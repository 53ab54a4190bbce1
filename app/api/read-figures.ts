import type * as z from "zod";

/** A number as databases write those that may be large: in a text, so that none of its digits are lost. */
const FIGURE = /^-?\d{1,40}(?:\.\d{1,40})?$/;

/**
 * An answer that breaks its contract, with numbers where it has texts of them, and with yes and no where it has 1 and
 * 0. Texts would not be added up but put one after the other, and nobody would know a 0 for a no.
 */
export function readFigures(answer: unknown, issues: z.core.$ZodIssue[]): unknown {
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

/** Changes what stands at a path, if anything does. */
function change(whole: unknown, path: PropertyKey[], by: (value: unknown) => unknown): void {
  const name = path.at(-1);
  const holder = path.slice(0, -1).reduce(takeFrom, whole);
  if (name !== undefined && isObject(holder) && name in holder)
    Reflect.set(holder, name, by(Reflect.get(holder, name)));
}

const takeFrom = (within: unknown, name: PropertyKey): unknown =>
  isObject(within) ? Reflect.get(within, name) : undefined;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
