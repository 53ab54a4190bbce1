import * as z from "zod";
import { OPERATOR } from "../administration/actor.ts";
import { Reason } from "../administration/contract.ts";
import { AppError } from "../errors.ts";
import type { OpsRequest } from "./messages.ts";
import type { OpsDeps } from "./operation.ts";
import { findOperation } from "./nouns.ts";

/**
 * Does what is asked for in the operator's name. Throws VALIDATION_ERROR for what is none, and as the operation does.
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

/** What is wrong with an input, a line each, with where; once, where it is so in several places. */
export const describeProblems = ({ issues }: z.ZodError, name = (path: PropertyKey[]) => path.join(".")): string =>
  [...new Set(issues.map(({ message, path }) => [name(path), message].filter(Boolean).join(": ")))].join("\n");
