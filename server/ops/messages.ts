import * as z from "zod";

/** A request to perform an operation, as one process sends it to another. */
export const OpsRequest = z.object({
  noun: z.string(),
  verb: z.string(),
  input: z.unknown(),
  reason: z.string().optional(),
});
export type OpsRequest = z.infer<typeof OpsRequest>;

/** The outcome of an operation: a result, or why it was refused. */
export const OpsOutcome = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.string(), message: z.string() }),
]);
export type OpsOutcome = z.infer<typeof OpsOutcome>;

/** A line of a server's response: progress, or, as the last line, the outcome. */
export const OpsResponse = z.union([z.object({ progress: z.string() }), OpsOutcome]);
export type OpsResponse = z.infer<typeof OpsResponse>;
