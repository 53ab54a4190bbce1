import type * as z from "zod";
import type { Endpoint } from "../../server/http/contract.ts";

export type Sample = { endpoint: Endpoint; response: unknown };

/** A response for an endpoint; the type checker holds it against the contract. */
export function sample<const E extends Endpoint>(endpoint: E, response: z.input<E["response"]>): Sample {
  return { endpoint, response };
}
