/**
 * Node's options for a process with an embedded database that ends soon: they skip the optimization of its engine.
 * Optimizing takes V8 four seconds of processor time and 370 MB, and a process that should end would wait for it.
 */
export const QUICK_ENGINE = ["--liftoff-only"];
