import type { QueryClient } from "@tanstack/react-query";
import type { LiveNews } from "./event-stream.ts";
import { holdStream } from "./hold-stream.ts";
import { applyNews } from "./live-reads.ts";
import { openTopic, type Topic } from "../session/tabs.ts";
import { setLive } from "./live-state.ts";

/** Milliseconds without a sign of life after which a stream counts as broken. The server gives one every 20 s. */
const LONGEST_SILENCE = 45_000;
const LOOK_EVERY = 5000;

/** What tabs tell each other: news or a sign of life, that the stream is lost, or the news that a tab has seen last. */
type Told =
  | { type: "news"; news: LiveNews | undefined; isNext: boolean }
  | { type: "lost" }
  | { type: "seen"; id: string | undefined };

const isTold = (value: unknown): value is Told => typeof value === "object" && value !== null && "type" in value;

/**
 * A tab's part in the one connection of its browser. Of the tabs that follow, one holds a lock, and with it the
 * connection, and tells the others; when it stops or is closed, the browser gives the lock to another.
 */
export class LiveTab {
  readonly #member: string;
  readonly #client: QueryClient;
  readonly #tabs: Topic<Told>;
  readonly #end: () => void;
  #latest: LiveNews | undefined;
  /** Undefined while nothing is to be expected. */
  #heardAt: number | undefined;
  #turn: AbortController | undefined;
  #leads = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(member: string, client: QueryClient) {
    this.#member = member;
    this.#client = client;
    this.#tabs = openTopic(`live ${member}`, isTold);
    this.#end = this.#tabs.follow((told) => this.#listen(told));
  }

  follow(wanted: boolean): void {
    if (wanted === (this.#turn !== undefined)) return;
    if (wanted) this.#begin();
    else this.#stop();
  }

  close(): void {
    this.follow(false);
    this.#end();
  }

  #begin() {
    this.#turn = new AbortController();
    this.#heardAt = Date.now();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
    // Whoever holds the stream answers with what has come since.
    this.#tell({ type: "seen", id: this.#latest?.id });
    const { signal } = this.#turn;
    const lead = () => this.#lead(signal);
    // Browsers offer locks to secure pages only. Without them each visible tab has a connection of its own.
    const locks: LockManager | undefined = navigator.locks;
    // Rejects when the signal comes before the lock.
    void (locks ? locks.request(`live ${this.#member}`, { signal }, lead).catch(() => {}) : lead());
  }

  #stop() {
    clearInterval(this.#timer);
    this.#turn?.abort();
    this.#turn = undefined;
    setLive(false);
  }

  async #lead(signal: AbortSignal) {
    this.#leads = true;
    await holdStream({
      member: this.#member,
      lastEventId: () => this.#latest?.id,
      onNews: (news) => {
        this.#tell({ type: "news", news, isNext: this.#latest !== undefined });
        this.#hear(news, true);
      },
      onLost: () => {
        this.#tell({ type: "lost" });
        this.#lose();
      },
      signal,
    });
    this.#leads = false;
  }

  #listen(told: Told) {
    // A hidden tab asks for what it has missed when it is shown.
    if (!this.#turn) return;
    if (told.type === "news") this.#hear(told.news, told.isNext);
    else if (told.type === "lost") this.#lose();
    else if (this.#leads && this.#latest) {
      this.#tell({ type: "news", news: told.id === this.#latest.id ? undefined : this.#latest, isNext: false });
    }
  }

  #hear(news: LiveNews | undefined, isNext: boolean) {
    this.#heardAt = Date.now();
    setLive(true);
    if (!news || news.id === this.#latest?.id) return;
    applyNews(this.#client, news, this.#latest === undefined ? "nothing" : isNext ? "on" : "others");
    this.#latest = news;
  }

  #lose() {
    this.#heardAt = undefined;
    setLive(false);
  }

  /** After a sleep of the machine, too, a connection may be dead without anybody having said so. */
  #look() {
    if (this.#heardAt === undefined || Date.now() - this.#heardAt <= LONGEST_SILENCE) return;
    this.#stop();
    this.#begin();
  }

  #tell(told: Told) {
    this.#tabs.tell(told);
  }
}
