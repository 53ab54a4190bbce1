import type { QueryClient } from "@tanstack/react-query";
import type { LiveNews } from "./event-stream.ts";
import { checkServer, markReachable } from "../cache/connection.ts";
import { keepStreamOpen } from "./keep-stream-open.ts";
import { applyNews } from "./live-reads.ts";
import { isSessionOver, leaveSignedOut, type SessionEnd } from "../session/session-end.ts";
import { openTopic, type Topic } from "../session/tabs.ts";
import { setMotion } from "../ui/number/count-up.tsx";
import { live } from "./live-state.ts";

/** How long the server may be silent before it is checked, in milliseconds. Ours gives a sign of life every second. */
const SILENCE = 1500;
/** How long until a silent stream counts as broken, in milliseconds. */
const MAX_SILENCE_MS = 45_000;
/**
 * How soon a page gets its first news, in milliseconds. Only a page that had to wait, as in a tab behind another, gets
 * it later.
 */
const FIRST_NEWS = 60_000;

/**
 * What tabs tell each other: the latest news, also as a sign of life, and the news `after` which it came, if known;
 * that the stream or the session is lost; or the last news that a tab saw.
 */
type TabMessage =
  | { type: "news"; news: LiveNews | undefined; after: string | undefined }
  | { type: "lost" }
  | { type: "over"; end: SessionEnd }
  | { type: "seen"; id: string | undefined };

const isTabMessage = (value: unknown): value is TabMessage =>
  typeof value === "object" && value !== null && "type" in value;

/**
 * A tab's part in the one connection of its browser. Of the tabs that follow, one holds a lock, and with it the
 * connection, and tells the others. When it stops or closes, the browser gives the lock to another.
 */
export class LiveTab {
  readonly #member: string;
  readonly #client: QueryClient;
  readonly #tabs: Topic<TabMessage>;
  readonly #end: () => void;
  #latest: LiveNews | undefined;
  #heardAt = 0;
  #isLost = false;
  #following: AbortController | undefined;
  #leads = false;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(member: string, client: QueryClient) {
    this.#member = member;
    this.#client = client;
    this.#tabs = openTopic(`live ${member}`, isTabMessage);
    this.#end = this.#tabs.follow((message) => this.#listen(message));
  }

  follow(wanted: boolean): void {
    if (wanted === (this.#following !== undefined)) return;
    if (wanted) this.#begin();
    else this.#stop();
  }

  /** Ends the wait for another try, because the server answers again. */
  recover(): void {
    if (!this.#isLost) return;
    this.#stop();
    this.#begin();
  }

  close(): void {
    this.follow(false);
    this.#end();
  }

  #begin() {
    this.#following = new AbortController();
    this.#isLost = false;
    this.#mindSilence();
    // The tab that holds the stream answers with what has come since.
    this.#broadcast({ type: "seen", id: this.#latest?.id });
    const { signal } = this.#following;
    const lead = async () => {
      if (!isSessionOver()) await this.#lead(signal);
    };
    // Browsers offer locks to secure pages only. Without them, each visible tab has its own connection.
    const locks: LockManager | undefined = navigator.locks;
    // Rejects if the signal is aborted before the lock is granted.
    void (locks
      ? locks.request(`live ${this.#member}`, { signal }, lead).catch(() => (signal.aborted ? undefined : lead()))
      : lead());
  }

  #stop() {
    clearTimeout(this.#silence);
    this.#isLost = false;
    this.#following?.abort();
    this.#following = undefined;
    live.set(false);
  }

  async #lead(signal: AbortSignal) {
    this.#leads = true;
    await keepStreamOpen({
      member: this.#member,
      lastEventId: () => this.#latest?.id,
      onNews: (news) => {
        const after = this.#latest?.id;
        // A tab that began to follow while no tab led has had no answer.
        this.#broadcast({ type: "news", news: news ?? this.#latest, after });
        this.#hear(news, after);
      },
      onLost: () => {
        this.#broadcast({ type: "lost" });
        this.#lose();
      },
      onOver: (end) => {
        this.#broadcast({ type: "over", end });
        leaveSignedOut(end);
      },
      signal,
    });
    this.#leads = false;
  }

  #listen(message: TabMessage) {
    if (message.type === "over") return leaveSignedOut(message.end);
    // A hidden tab asks for what it has missed when it is shown.
    if (!this.#following) return;
    if (message.type === "news") this.#hear(message.news, message.after);
    else if (message.type === "lost") this.#lose();
    else if (this.#leads && this.#latest) {
      this.#broadcast({ type: "news", news: this.#latest, after: undefined });
    }
  }

  #hear(news: LiveNews | undefined, after: string | undefined) {
    this.#isLost = false;
    live.set(true);
    markReachable();
    this.#mindSilence();
    if (!news || news.id === this.#latest?.id) return;
    // No number moves before there is news.
    if (this.#latest === undefined) void loadMotion();
    const seen = this.#latest?.id;
    const isFirst = seen === undefined && performance.now() < FIRST_NEWS;
    applyNews(this.#client, news, isFirst ? "nothing" : seen !== undefined && seen === after ? "on" : "others");
    this.#latest = news;
  }

  #lose() {
    this.#isLost = true;
    clearTimeout(this.#silence);
    live.set(false);
    checkServer();
  }

  #mindSilence() {
    this.#heardAt = Date.now();
    this.#checkAfter(SILENCE);
  }

  /**
   * Checks a silent server, less often each time. One may answer although its stream is silent, as another backend's
   * may be. After the machine has slept, a connection may also be dead without any notice.
   */
  #checkAfter(delay: number) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      // The clock may have been put back since.
      if (Math.abs(Date.now() - this.#heardAt) > MAX_SILENCE_MS) {
        this.#stop();
        return this.#begin();
      }
      checkServer();
      this.#checkAfter(2 * delay);
    }, delay);
  }

  #broadcast(message: TabMessage) {
    this.#tabs.broadcast(message);
  }
}

/** Loads the animation of numbers. Without it they change at once. */
async function loadMotion() {
  const loaded = await import("../ui/number/count-up-motion.ts").catch(() => null);
  if (loaded) setMotion(loaded.countUp);
}
