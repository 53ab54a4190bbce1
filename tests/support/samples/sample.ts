import type * as z from "zod";
import type { Endpoint } from "../../../server/http/contract.ts";

export type Sample = { endpoint: Endpoint; response: unknown };

/** A response for an endpoint; the type checker holds it against the contract. */
export function sample<const E extends Endpoint>(endpoint: E, response: z.input<E["response"]>): Sample {
  return { endpoint, response };
}

/** Where the ladder of resends stands. */
export const RESEND_SAMPLE = { state: "INITIAL" as const, timestamp: 1_795_183_200_000, duration: 60_000 };
