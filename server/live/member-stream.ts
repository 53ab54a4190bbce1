import { randomInt } from "node:crypto";
import { encodeEvent, encodeRetry, encodeKeepAlive, type EventStream } from "../http/event-stream.ts";
import type { LiveEvent } from "./contract.ts";
import { findChanged } from "./parts.ts";
import type { MemberState, Watcher } from "./states.ts";

/** Times are in milliseconds. */
export type StreamRules = {
  /** After how long without news a stream sends a comment. Proxies hang up after 60 s. */
  quiet: number;
  /**
   * The shortest time that a stream lasts; at random, up to twice as long. Reconnecting checks and renews the session.
   */
  age: number;
  /** The shortest time that the client waits before it reconnects; at random, up to four times as long. */
  retry: number;
  /** How many chunks may wait for a slow reader. */
  backlog: number;
};

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

/** The events for one reader, starting from the state that the reader has seen. */
export class MemberStream {
  readonly watcher: Watcher;
  readonly events: EventStream;
  #controller: Controller | undefined;
  #seen: string | undefined;
  #sentAt = performance.now();
  readonly #endsAt: number;
  readonly #rules: StreamRules;
  readonly #onEnd: (stream: MemberStream) => void;

  constructor(watcher: Watcher, seen: string | undefined, rules: StreamRules, onEnd: (stream: MemberStream) => void) {
    this.watcher = watcher;
    this.#seen = seen;
    this.#rules = rules;
    this.#onEnd = onEnd;
    this.#endsAt = performance.now() + randomInt(rules.age, 2 * rules.age);
    this.events = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
        this.#send(encodeRetry(randomInt(rules.retry, 4 * rules.retry)));
      },
      cancel: () => this.#leave(),
    });
  }

  /** Whether a state has something that the reader has not seen. */
  isNews(state: MemberState | undefined): boolean {
    return state !== undefined && state.id !== this.#seen;
  }

  /** Sends what is new. If nothing is, sends a comment now and then. */
  sendState({ id, stats }: MemberState): void {
    if (id === this.#seen) return this.keepAlive();
    const changed = this.#seen === undefined ? [] : findChanged(this.#seen, id);
    this.#seen = id;
    this.#send(encodeEvent({ id, data: { changed, stats: stats() } satisfies LiveEvent }));
  }

  /** Sends a comment if it is time for one. Ends the stream if it has lasted long enough. */
  keepAlive(): void {
    const now = performance.now();
    if (now >= this.#endsAt) this.end();
    else if (now - this.#sentAt >= this.#rules.quiet) this.#send(encodeKeepAlive());
  }

  /** Ends the stream because its session has ended. The client reconnects at once and learns why. */
  endWithSession(): void {
    this.#send(encodeRetry(0));
    this.end();
  }

  end(): void {
    this.#controller?.close();
    this.#leave();
  }

  #send(piece: Uint8Array<ArrayBuffer>) {
    if (!this.#controller) return;
    // The reader has left or is too slow. If it reconnects, it gets the current state at once.
    if ((this.#controller.desiredSize ?? 0) <= -this.#rules.backlog) return this.end();
    this.#controller.enqueue(piece);
    this.#sentAt = performance.now();
  }

  #leave() {
    this.#controller = undefined;
    this.#onEnd(this);
  }
}
