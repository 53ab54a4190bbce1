import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

/** Thrown for a claim that was already paid. */
export class AlreadyClaimed extends AppError {
  override name = "AlreadyClaimed";

  constructor(message: string) {
    super("CONFLICT", message);
  }
}

/** Claims points, and counts the outcome. */
export async function countClaim<Result>(
  { metrics }: Pick<Deps, "metrics">,
  claim: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await claim();
    metrics.countClaim("granted");
    return result;
  } catch (error) {
    if (error instanceof AlreadyClaimed) metrics.countClaim("duplicate");
    throw error;
  }
}
