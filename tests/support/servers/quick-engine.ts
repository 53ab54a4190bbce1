/**
 * Node's options for a process with an embedded database that ends soon: its engine runs as it is compiled at first. To
 * make it faster takes V8 four seconds of processor time and 370 MB, which a process waits for that would have ended.
 */
export const QUICK_ENGINE = ["--liftoff-only"];
