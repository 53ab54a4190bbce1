/** The server cannot start in this configuration. `message` tells the operator everything, so no stack is printed. */
export class StartError extends Error {
  override name = "StartError";
}
