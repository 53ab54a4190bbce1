import { randomInt } from "node:crypto";
import { encodeEvent, encodeRetry, encodeSignOfLife, type EventStream } from "../http/event-stream.ts";
import type { LiveEvent } from "./contract.ts";
import { findChanged } from "./parts.ts";
import type { MemberState, Watcher } from "./states.ts";

/** Times in milliseconds. */
export type StreamRules = {
  /** Until a stream without news gives a sign of life. Proxies hang up after 60 s. */
  quiet: number;
  /** Until a stream ends, so that its session is looked at anew and renewed; up to as much again, by chance. */
  age: number;
  /** How long its client waits before it comes back; up to four times as much, by chance. */
  retry: number;
  /** Pieces that may wait for a slow reader. */
  backlog: number;
};

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

/** The events for one reader, from the state on that the reader has seen. */
export class MemberStream {
  readonly watcher: Watcher;
  readonly events: EventStream;
  #controller: Controller | undefined;
  #seen: string | undefined;
  #saidAt = performance.now();
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
        this.#say(encodeRetry(randomInt(rules.retry, 4 * rules.retry)));
      },
      cancel: () => this.#leave(),
    });
  }

  /** Whether there is something in a state that the reader has not seen. */
  isNews(state: MemberState | undefined): boolean {
    return state !== undefined && state.id !== this.#seen;
  }

  /** Says what is new, and now and then that nothing is. */
  tell({ id, stats }: MemberState): void {
    if (id === this.#seen) return this.breathe();
    const changed = this.#seen === undefined ? [] : findChanged(this.#seen, id);
    this.#seen = id;
    this.#say(encodeEvent({ id, data: { changed, stats: stats() } satisfies LiveEvent }));
  }

  /** Gives a sign of life when it is time for one, and ends what has gone on for long enough. */
  breathe(): void {
    const now = performance.now();
    if (now >= this.#endsAt) this.end();
    else if (now - this.#saidAt >= this.#rules.quiet) this.#say(encodeSignOfLife());
  }

  /** Ends it because its session has ended: coming back at once tells why. */
  dismiss(): void {
    this.#say(encodeRetry(0));
    this.end();
  }

  end(): void {
    this.#controller?.close();
    this.#leave();
  }

  #say(piece: Uint8Array<ArrayBuffer>) {
    if (!this.#controller) return;
    // The reader is gone, or too slow to be told what is new: it is better off asking anew.
    if ((this.#controller.desiredSize ?? 0) <= -this.#rules.backlog) return this.end();
    this.#controller.enqueue(piece);
    this.#saidAt = performance.now();
  }

  #leave() {
    this.#controller = undefined;
    this.#onEnd(this);
  }
}
