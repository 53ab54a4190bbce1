import type * as z from "zod";
import { formatCount } from "../format-count.ts";

/** What messages call each type, by zod's name for it. */
const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/**
 * Explains what is wrong with an input if its contract has no message for it. Written for the developer of the client.
 * Returns undefined to use zod's own message.
 */
export const explainIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "This is missing.";
      return TYPES[issue.expected] && `This must be ${TYPES[issue.expected]}.`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "This is empty.";
      return measure(issue.origin, issue.minimum, ["at least", "or more"]);
    case "too_big":
      return measure(issue.origin, issue.maximum, ["at most", "or less"]);
    case "invalid_value":
      return `Use one of these: ${issue.values.join(", ")}.`;
    case "invalid_format":
      return "This does not have the format that the API document describes.";
    case "unrecognized_keys":
      return `There is no field ${JSON.stringify(issue.keys[0])}.`;
    default:
      return undefined;
  }
};

function measure(origin: string, limit: number | bigint, [before, after]: [string, string]): string {
  if (origin === "string") return `Use ${before} ${formatCount(limit, "character")}.`;
  return origin === "array" ? `Give ${before} ${limit}.` : `Use ${limit} ${after}.`;
}
