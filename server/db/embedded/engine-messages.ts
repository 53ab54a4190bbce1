/** What the engine's thread is started with. */
export type EngineOptions = {
  /** Path of the Unix socket to listen on. */
  socket: string;
  /** PostgreSQL's own folder on disk; in memory when absent. */
  folder?: string;
  /** A tar file of a database to begin with, in memory only. */
  snapshot?: string;
};

/** What the engine's thread is asked. */
export type EngineRequest = "ping" | "close";

/**
 * What the engine's thread reports. After a fault it is gone: what was acknowledged is on disk, nothing else counts.
 */
export type EngineReport =
  | { type: "ready" }
  | { type: "pong" }
  | { type: "log"; line: string }
  | { type: "fault"; reason: string };
