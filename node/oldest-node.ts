import { NodeProblem } from "./problem.ts";

/**
 * The first Node.js that has everything used here: `AbortSignal.any`. app/start-node and app/faqs name it to members.
 */
export const OLDEST_NODE = "20.3";

/**
 * Throws NodeProblem if Node.js is too old. npm only warns, and the node would fail with an error that helps nobody.
 */
export function requireNode(): void {
  if ("any" in AbortSignal) return;
  const found = process.versions.node;
  throw new NodeProblem(`This is Node.js ${found}, and the node needs ${OLDEST_NODE} or newer: https://nodejs.org`);
}
