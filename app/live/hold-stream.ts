import { findEnd, type SessionEnd } from "../session/session-end.ts";
import { passOnSessionNews } from "../session/session-news.ts";
import { readEvents, requestEvents, type LiveNews } from "./event-stream.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Milliseconds until the next try: at first, and at most, where the server does not name any. */
const FIRST_WAIT = SECOND;
const LONGEST_WAIT = MINUTE;
const SHORTEST_WAIT = 300;
/** What a server names is waited for where it is shorter than this: for much longer no timer waits at all. */
const LONGEST_TOLD = 1e9;

/** What is said where the session has ended: as to an EventSource, that there is nothing to come back for. */
const OVER = new Set([204, 401]);

type StreamOptions = {
  member: string;
  /** The id of the last event that was seen. */
  lastEventId: () => string | undefined;
  onNews: (news?: LiveNews) => void;
  /** No news are to be expected for a while. */
  onLost: () => void;
  /** The session is over. */
  onOver: (end: SessionEnd) => void;
  signal: AbortSignal;
};

/**
 * Holds the stream of events until told to stop: when it ends or breaks, it is opened again after a while. Where the
 * session is over nobody is asked again.
 */
export async function holdStream(options: StreamOptions): Promise<void> {
  const { member, lastEventId, onNews, onLost, onOver, signal } = options;
  let failures = 0;
  while (!signal.aborted) {
    let wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures);
    failures++;
    try {
      const response = await requestEvents({ member, lastEventId: lastEventId(), signal });
      passOnSessionNews();
      if (response.status === 200 && response.body) {
        await readEvents(response.body, {
          onRetry(milliseconds) {
            if (milliseconds < LONGEST_TOLD) wait = milliseconds;
          },
          onNews(news) {
            failures = 0;
            onNews(news);
          },
        });
      } else if (OVER.has(response.status)) return onOver(findEnd(response));
      else {
        onLost();
        wait = waitAfter(response) ?? wait;
      }
    } catch {
      // The signal's, or no connection: others say that.
      if (!signal.aborted) onLost();
    }
    // Of many who are sent away at once, each comes back at a time of its own.
    // Who is sent away because they have signed out comes back after the browser has heard of it.
    await sleep(Math.max(SHORTEST_WAIT, wait * (0.5 + Math.random())), signal);
  }
}

function waitAfter({ headers }: Response): number | undefined {
  const told = Number(headers.get("Retry-After")) * SECOND;
  return told > 0 && told < LONGEST_TOLD ? told : undefined;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
