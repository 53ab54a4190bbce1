import { AsyncLocalStorage } from "node:async_hooks";
import { findErrorCode, READ_ONLY } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { runAsCaller, BACKGROUND } from "../fair-share/caller.ts";
import type { Caller } from "../http/endpoint.ts";
import type { EventStream } from "../http/event-stream.ts";
import { LOG_INTERVAL, throttle } from "../throttle.ts";
import { requireFreshReads } from "../sessions/own-writes.ts";
import { MemberStream, type StreamRules } from "./member-stream.ts";
import { readStates } from "./states.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

type LiveRules = StreamRules & {
  /** Milliseconds between two checks for changes. */
  every: number;
  /** How many streams one member may have, and all members together, in this process. */
  perMember: number;
  inAll: number;
};

const RULES: LiveRules = {
  every: SECOND,
  // At every check, so that pages notice within three seconds that nothing arrives any more.
  quiet: SECOND / 2,
  age: 20 * MINUTE,
  retry: SECOND,
  backlog: 16,
  perMember: 10,
  inAll: 5000,
};

/** How many members' states one query reads. Others wait for the connection that it uses. */
const AT_ONCE = 500;
/** Seconds after which it makes sense to ask for a stream again. */
const FULL_FOR = 30;
const NOT_NOW = "There are no live events right now. Please try again in a moment.";

type LiveDeps = Pick<Deps, "db" | "now" | "log" | "metrics" | "replica">;

/**
 * Creates the streams of this process. While there are any, it checks the state of their members every second: one
 * small query for all of them, whichever process made the changes. While nobody is connected, it does nothing.
 */
export function createLiveStreams(deps: LiveDeps, rules = RULES) {
  const streams = new Set<MemberStream>();
  // Checks run for all streams, so they must not belong to the request that started them.
  const outside = AsyncLocalStorage.snapshot();
  const warn = throttle((err: unknown) => deps.log.warn({ err }, "live events are late"), LOG_INTERVAL);
  let isChecking = false;

  async function checkStreams(watched: readonly MemberStream[]) {
    const states = await readStates(
      deps,
      watched.map(({ watcher }) => watcher),
    );
    const withNews = watched.filter((stream) => stream.isNews(states.get(stream.watcher.sessionId)));
    await requireFreshReads(
      deps,
      withNews.map(({ watcher }) => watcher.userId),
    ).catch(throwUnlessReadOnly);
    for (const stream of watched) {
      const state = states.get(stream.watcher.sessionId);
      if (state) stream.sendState(state);
      else stream.endWithSession();
    }
  }

  async function checkAll() {
    const start = performance.now();
    const all = [...streams];
    for (let from = 0; from < all.length; from += AT_ONCE) await checkStreams(all.slice(from, from + AT_ONCE));
    deps.log.trace({ streams: all.length, ms: performance.now() - start }, "looked at who is connected");
  }

  function checkAgain() {
    // On behalf of all members, not of the one who connected first.
    runAsCaller(BACKGROUND, checkAll)
      .catch((error: unknown) => {
        warn(error);
        for (const stream of streams) stream.keepAlive();
      })
      .finally(scheduleCheck);
  }

  function scheduleCheck() {
    isChecking = streams.size > 0;
    if (isChecking) outside(() => setTimeout(checkAgain, rules.every).unref());
  }

  return {
    /**
     * Opens a stream for a signed-in member who has seen the state with the id `seen`. Its first event is already in
     * it. Throws TOO_MANY_ATTEMPTS if the member has too many streams, UNAVAILABLE if all members together have or if
     * the session is due at its provider, and UNAUTHENTICATED if the session has just ended.
     */
    async open({ userId, sessionId = "", isDue = false }: Caller, seen?: string): Promise<EventStream> {
      // The states leave out such a session, so it would look as if it had ended.
      if (isDue) throw new AppError("UNAVAILABLE", NOT_NOW, { retryAfter: FULL_FOR });
      refuseWhenFull(streams, userId, rules);
      const stream = new MemberStream({ userId, sessionId }, seen, rules, (ended) => {
        streams.delete(ended);
        deps.metrics.eventStreams.set(streams.size);
      });
      streams.add(stream);
      deps.metrics.eventStreams.set(streams.size);
      try {
        await checkStreams([stream]);
      } catch (error) {
        stream.end();
        throw error;
      }
      if (!streams.has(stream)) throw new AppError("UNAUTHENTICATED", "Your session has ended. Please sign in again.");
      if (!isChecking) scheduleCheck();
      return stream.events;
    },
  };
}

/** While the database takes no writes, there is little news, and members' reads need not see what they wrote. */
function throwUnlessReadOnly(error: unknown): void {
  if (findErrorCode(error) !== READ_ONLY) throw error;
}

function refuseWhenFull(streams: Set<MemberStream>, userId: string, { perMember, inAll }: LiveRules) {
  let own = 0;
  for (const { watcher } of streams) if (watcher.userId === userId) own++;
  // Limits that members exceed are not our failures, and must not count as such on the status page.
  if (own >= perMember) {
    const message = "You have this open in too many places. Close some, or try again in a moment.";
    throw new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter: FULL_FOR });
  }
  if (streams.size < inAll) return;
  throw new AppError("UNAVAILABLE", "There are too many open connections. Please try again in a moment.", {
    retryAfter: FULL_FOR,
  });
}
