/**
 * Node's options for a process with an embedded database that ends soon: its engine runs as it is compiled at first. To
 * make it faster takes V8 four seconds of processor time and 370 MB, and a process that would have ended waits for that.
 */
export const QUICK_ENGINE = ["--liftoff-only"];
