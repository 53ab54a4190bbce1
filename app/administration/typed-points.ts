import * as z from "zod";

const ASKED = "Enter a number of points, such as 1000 or 0.5.";

/** Points as they are typed. Refuses `1.000`: our pages write a thousand that way, but it would be read as one. */
export const TypedPoints = z
  .string(ASKED)
  .trim()
  .regex(/^[-+]?\d+(?:\.\d{1,2})?$/, ASKED)
  .transform(Number);
