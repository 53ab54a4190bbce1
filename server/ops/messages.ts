import * as z from "zod";

/** An operation that is asked for, as it goes from process to process. */
export const OpsRequest = z.object({
  noun: z.string(),
  verb: z.string(),
  input: z.unknown(),
  reason: z.string().optional(),
});
export type OpsRequest = z.infer<typeof OpsRequest>;

/** What came of it: a result, or why it was refused. */
export const OpsOutcome = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.string(), message: z.string() }),
]);
export type OpsOutcome = z.infer<typeof OpsOutcome>;

/** A line of a server's answer: how far it is, or, at the end, what came of it. */
export const OpsAnswer = z.union([z.object({ progress: z.string() }), OpsOutcome]);
export type OpsAnswer = z.infer<typeof OpsAnswer>;
