/**
 * Node's options for a process with an embedded database that ends soon: they skip the optimization of its engine.
 * Optimizing takes V8 four seconds of processor time and 370 MB, and a process that should end would wait for it.
 */
export const QUICK_ENGINE = ["--liftoff-only"];

/**
 * Node's options for a process that starts no engine, and ends soon. A process that ends while V8 still compiles in the
 * background may hang (https://github.com/nodejs/node/issues/54918), so this compiles nothing there.
 */
export const QUICK_EXIT = ["--single-threaded"];
