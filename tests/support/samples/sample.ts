import type * as z from "zod";
import type { Endpoint } from "../../../server/http/contract.ts";

export type Sample = { endpoint: Endpoint; response: unknown };

/** Creates a response for an endpoint. The type checker compares it with the contract. */
export function sample<const E extends Endpoint>(endpoint: E, response: z.input<E["response"]>): Sample {
  return { endpoint, response };
}

/** The state of the waiting times between resends. */
export const RESEND_SAMPLE = { state: "INITIAL" as const, timestamp: 1_795_183_200_000, duration: 60_000 };
