import * as z from "zod";
import { OPERATOR } from "../administration/actor.ts";
import { Reason } from "../administration/contract.ts";
import { AppError } from "../errors.ts";
import type { OpsRequest } from "./messages.ts";
import type { OpsDeps } from "./operation.ts";
import { findOperation } from "./nouns.ts";

/**
 * Performs an operation in the operator's name. Throws VALIDATION_ERROR if there is no such operation or its input is
 * wrong, and whatever the operation throws.
 */
export async function runRequest(deps: OpsDeps, { noun, verb, input, reason }: OpsRequest): Promise<unknown> {
  const operation = findOperation(noun, verb);
  if (!operation?.run) throw new AppError("VALIDATION_ERROR", "There is no such operation.");
  try {
    const act = operation.isChange ? { actor: OPERATOR, reason: Reason.parse(reason) } : undefined;
    return await operation.run(deps, input, act);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new AppError("VALIDATION_ERROR", describeProblems(error), { cause: error });
  }
}

/** Says what is wrong with an input and where, one problem per line. Lists a problem in several places once. */
export const describeProblems = ({ issues }: z.ZodError, name = (path: PropertyKey[]) => path.join(".")): string =>
  [...new Set(issues.map(({ message, path }) => [name(path), message].filter(Boolean).join(": ")))].join("\n");
