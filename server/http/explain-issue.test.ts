import * as z from "zod";
import { expect, test } from "vitest";
import { parseInput } from "./handle-call.ts";
import { queryInteger } from "./contract.ts";

const page = queryInteger({ min: 1, max: 9, default: 1 });

test.each([
  [z.string(), undefined, "This is missing."],
  [z.string(), 5, "This must be text."],
  [z.string().min(1), "", "This is empty."],
  [z.string().min(2), "a", "Use at least 2 characters."],
  [z.string().max(1), "ab", "Use at most 1 character."],
  [page, "abc", "This must be a number."],
  [page, "1.5", "This must be a whole number."],
  [page, "", "Use 1 or more."],
  [page, "10", "Use 9 or less."],
  [z.boolean(), "yes", "This must be true or false."],
  [z.array(z.string()), {}, "This must be a list."],
  [z.array(z.string()).max(1), ["a", "b"], "Give at most 1."],
  [z.object({}), [], "This must be an object."],
  [z.strictObject({}), { more: 1 }, 'There is no field "more".'],
  [z.enum(["one", "two"]), "three", "Use one of these: one, two."],
  [z.string().regex(/^0x/), "me", "This does not have the format that the API document describes."],
  [z.string("Enter your email."), 5, "Enter your email."],
])("%#: explains invalid input plainly, in the contract's own words if it has any", (schema, value, words) => {
  const told = { code: "VALIDATION_ERROR", message: words, fields: { given: [words] } };
  expect(() => parseInput(z.object({ given: schema }), { given: value })).toThrow(expect.objectContaining(told));
});
