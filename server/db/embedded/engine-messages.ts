/** The options that the engine's thread starts with. */
export type EngineOptions = {
  /** Path of the Unix socket to listen on. */
  socket: string;
  /** PostgreSQL's folder on disk. In memory if absent. */
  folder?: string;
  /** A tar file of a database to start from. For in-memory engines only. */
  snapshot?: string;
};

/** A request to the engine's thread. */
export type EngineRequest = "ping" | "close";

/**
 * A report from the engine's thread. The thread ends after a fault. What was acknowledged is on disk, and nothing else
 * counts.
 */
export type EngineReport =
  | { type: "ready" }
  | { type: "pong" }
  | { type: "log"; line: string }
  | { type: "fault"; reason: string };
