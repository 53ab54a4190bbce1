import * as z from "zod";

const ASKED = "Enter a number of points, such as 1000 or 0.5.";

/** Points as they are typed. Our pages write a thousand as `1.000`, which would be read as one: we ask instead. */
export const TypedPoints = z
  .string(ASKED)
  .trim()
  .regex(/^[-+]?\d+(?:\.\d{1,2})?$/, ASKED)
  .transform(Number);
