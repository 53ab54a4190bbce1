import { NodeProblem } from "./problem.ts";

/** The first Node.js with all that is used here: `AbortSignal.any`. Members are told in app/start-node and app/faqs. */
export const OLDEST_NODE = "20.3";

/** npm only warns of an older one, which would then say what it lacks in words for nobody. Throws NodeProblem. */
export function requireNode(): void {
  if ("any" in AbortSignal) return;
  const found = process.versions.node;
  throw new NodeProblem(`This is Node.js ${found}, and the node needs ${OLDEST_NODE} or newer: https://nodejs.org`);
}
