import * as z from "zod";

const ASKED = "Enter a number of points, such as 1000 or 0.5.";

/** Points as they are typed. `1.000`, which every page of ours writes for a thousand, would be one: it is asked about. */
export const TypedPoints = z
  .string(ASKED)
  .trim()
  .regex(/^[-+]?\d+(?:\.\d{1,2})?$/, ASKED)
  .transform(Number);
