/** The server cannot start as things are. `message` is for the operator and complete: no stack is printed. */
export class StartError extends Error {
  override name = "StartError";
}
