import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Logger } from "../../log/log.ts";
import { DatabaseCannotOpen } from "../unavailable.ts";
import type { EngineOptions, EngineReport, EngineRequest } from "./engine-messages.ts";

/** How long a clean shutdown may take, in milliseconds. It writes a checkpoint. */
const CLOSE_LIMIT = 10_000;

/**
 * How long a start may take, in milliseconds. It replays everything since the last checkpoint, which may be gigabytes
 * if a backup was running.
 */
const START_LIMIT = 60 * 60_000;

// V8 can abort the whole process when it frees WebAssembly code that it has replaced by faster code. Kept, it takes a
// few megabytes. For all threads: https://github.com/nodejs/node/issues/64500
setFlagsFromString("--no-wasm-code-gc");

type Waiting = { limit?: number; stopping?: AbortSignal };

/** A running engine: PostgreSQL in its own thread, listening on a Unix socket. */
export class EngineThread {
  readonly #worker: Worker;
  readonly #log: Logger;
  #unanswered = 0;
  #killed = false;
  #reason = "the engine's thread ended";
  /** Resolves with the reason once the thread has ended, whether or not it was asked to. */
  readonly ended: Promise<string>;

  private constructor(worker: Worker, log: Logger) {
    this.#worker = worker;
    this.#log = log;
    this.ended = new Promise((resolve) => worker.once("exit", () => resolve(this.#reason)));
    worker.on("error", (error) => {
      this.#reason = error.message;
    });
    worker.on("message", (message: EngineReport) => this.#hear(message));
  }

  /**
   * Starts an engine and waits until it listens, for `limit` milliseconds at most, and not after `stopping` was aborted.
   * Throws DatabaseCannotOpen with the reason if it did not start.
   */
  static async start(
    options: EngineOptions,
    log: Logger,
    { limit = START_LIMIT, stopping }: Waiting = {},
  ): Promise<EngineThread> {
    const worker = new Worker(new URL("./engine.worker.ts", import.meta.url), { workerData: options });
    const engine = new EngineThread(worker, log);
    const ready = new Promise<"ready">((resolve) =>
      worker.on("message", ({ type }: EngineReport) => type === "ready" && resolve("ready")),
    );
    const late = AbortSignal.timeout(limit);
    const giveUp = () => void engine.kill(`it took more than ${limit / 1000} s`);
    const leave = () => void engine.kill("it is no longer needed");
    late.addEventListener("abort", giveUp);
    stopping?.addEventListener("abort", leave);
    const outcome = await Promise.race([ready, engine.ended]);
    late.removeEventListener("abort", giveUp);
    stopping?.removeEventListener("abort", leave);
    if (outcome !== "ready") throw new DatabaseCannotOpen(`The embedded database did not start: ${outcome}`);
    return engine;
  }

  /** How many pings in a row went unanswered: a statement is running, or the engine is stuck. */
  get unanswered(): number {
    return this.#unanswered;
  }

  ping(): void {
    this.#unanswered += 1;
    this.#ask("ping");
  }

  /** Ends the engine cleanly, or by force if that takes too long. */
  async close(): Promise<void> {
    this.#ask("close");
    const force = setTimeout(() => void this.kill("it did not close in time"), CLOSE_LIMIT);
    await this.ended;
    clearTimeout(force);
  }

  /** Ends the engine by force. What it has acknowledged is already on disk. */
  async kill(reason: string): Promise<void> {
    if (!this.#killed) {
      this.#killed = true;
      this.#reason = reason;
      void this.#worker.terminate();
    }
    await this.ended;
  }

  #ask(request: EngineRequest) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes no origin
    this.#worker.postMessage(request);
  }

  #hear(message: EngineReport) {
    if (message.type === "pong") this.#unanswered = 0;
    if (message.type === "log") this.#log.debug({ line: message.line }, "Embedded database");
    if (message.type === "fault") this.#reason = message.reason;
  }
}
