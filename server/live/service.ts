import { AsyncLocalStorage } from "node:async_hooks";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { actFor, BACKGROUND } from "../fair-share/caller.ts";
import type { Caller } from "../http/endpoint.ts";
import type { EventStream } from "../http/event-stream.ts";
import { LINE_EVERY, seldom } from "../seldom.ts";
import { showNews } from "../sessions/own-writes.ts";
import { MemberStream, type StreamRules } from "./member-stream.ts";
import { readStates } from "./states.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

type LiveRules = StreamRules & {
  /** Milliseconds between two looks at what has changed. */
  every: number;
  /** Streams of one member, and of all, in this process. */
  perMember: number;
  inAll: number;
};

const RULES: LiveRules = {
  every: SECOND,
  // At each look: pages notice within three seconds that nothing comes any more.
  quiet: SECOND / 2,
  age: 20 * MINUTE,
  retry: SECOND,
  backlog: 16,
  perMember: 10,
  inAll: 5000,
};

/** Members whose states one query reads: others wait for the connection that it holds. */
const AT_ONCE = 500;
/** Seconds after which it makes sense to ask for a stream again. */
const FULL_FOR = 30;
const NOT_NOW = "There are no live events right now. Please try again in a moment.";

type LiveDeps = Pick<Deps, "db" | "now" | "log" | "metrics" | "replica">;

/**
 * The streams of this process. While there are any, it looks every second at what their members have now: one small
 * query for all of them, whichever process has changed it, and nothing at all when nobody is connected.
 */
export function createLiveStreams(deps: LiveDeps, rules = RULES) {
  const streams = new Set<MemberStream>();
  // Looking goes on for all, and is no part of the request that it began with.
  const outside = AsyncLocalStorage.snapshot();
  const warn = seldom((err: unknown) => deps.log.warn({ err }, "live events are late"), LINE_EVERY);
  let looking = false;

  async function look(watched: readonly MemberStream[]) {
    const states = await readStates(
      deps,
      watched.map(({ watcher }) => watcher),
    );
    const told = watched.filter((stream) => stream.isNews(states.get(stream.watcher.sessionId)));
    await showNews(
      deps,
      told.map(({ watcher }) => watcher.userId),
    );
    for (const stream of watched) {
      const state = states.get(stream.watcher.sessionId);
      if (state) stream.tell(state);
      else stream.dismiss();
    }
  }

  async function lookAtAll() {
    const start = performance.now();
    const all = [...streams];
    for (let from = 0; from < all.length; from += AT_ONCE) await look(all.slice(from, from + AT_ONCE));
    deps.log.trace({ streams: all.length, ms: performance.now() - start }, "looked at who is connected");
  }

  function lookAgain() {
    // For all members, whichever of them came first.
    actFor(BACKGROUND, lookAtAll)
      .catch((error: unknown) => {
        warn(error);
        for (const stream of streams) stream.breathe();
      })
      .finally(keepLooking);
  }

  function keepLooking() {
    looking = streams.size > 0;
    if (looking) outside(() => setTimeout(lookAgain, rules.every).unref());
  }

  return {
    /**
     * Opens a stream for a signed-in member who has seen the state with the id `seen`; its first event is in it
     * already. Throws TOO_MANY_ATTEMPTS when the member has too many, UNAVAILABLE when all together have or the session
     * has to be renewed first, and UNAUTHENTICATED where it has just ended.
     */
    async open({ userId, sessionId = "", isDue = false }: Caller, seen?: string): Promise<EventStream> {
      // No state is read of such a session: it would look as if it had ended.
      if (isDue) throw new AppError("UNAVAILABLE", NOT_NOW, { retryAfter: FULL_FOR });
      refuseWhenFull(streams, userId, rules);
      const stream = new MemberStream({ userId, sessionId }, seen, rules, (ended) => {
        streams.delete(ended);
        deps.metrics.eventStreams.set(streams.size);
      });
      streams.add(stream);
      deps.metrics.eventStreams.set(streams.size);
      try {
        await look([stream]);
      } catch (error) {
        stream.end();
        throw error;
      }
      if (!streams.has(stream)) throw new AppError("UNAUTHENTICATED", "Your session has ended. Please sign in again.");
      if (!looking) keepLooking();
      return stream.events;
    },
  };
}

function refuseWhenFull(streams: Set<MemberStream>, userId: string, { perMember, inAll }: LiveRules) {
  let own = 0;
  for (const { watcher } of streams) if (watcher.userId === userId) own++;
  // What members bring upon themselves is no failure of ours, and must not count as one on the status page.
  if (own >= perMember) {
    const message = "You have this open in too many places. Close some, or try again in a moment.";
    throw new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter: FULL_FOR });
  }
  if (streams.size < inAll) return;
  throw new AppError("UNAVAILABLE", "There are too many open connections. Please try again in a moment.", {
    retryAfter: FULL_FOR,
  });
}
