/** A problem that the person who started the node can fix. The message is for them, complete without a stack trace. */
export class NodeProblem extends Error {
  override name = "NodeProblem";
}
