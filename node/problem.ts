/** What the person who started the node can put right. The message is for them, complete without a stack. */
export class NodeProblem extends Error {
  override name = "NodeProblem";
}
