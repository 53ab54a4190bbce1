import { readSessionEnd, type SessionEnd } from "../session/session-end.ts";
import { relaySessionEvents } from "../session/session-events.ts";
import { readEvents, requestEvents, type LiveNews } from "./event-stream.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How long to wait before the next try if the server names no time, in milliseconds: at first, and at most. */
const FIRST_WAIT = SECOND;
const MAX_WAIT_MS = MINUTE;
const MIN_WAIT_MS = 300;
/** A wait that the server names counts only if it is below this. For much longer ones, timers do not wait at all. */
const MAX_SERVER_WAIT_MS = 1e9;

/** The statuses that say that the session has ended. To an EventSource, too, they say not to come back. */
const OVER = new Set([204, 401]);

type StreamOptions = {
  member: string;
  /** The id of the last event that was seen. */
  lastEventId: () => string | undefined;
  onNews: (news?: LiveNews) => void;
  /** Called when no news is to be expected for a while. */
  onLost: () => void;
  /** Called when the session is over. */
  onOver: (end: SessionEnd) => void;
  signal: AbortSignal;
};

/**
 * Holds the stream of events until the signal is aborted. If the stream ends or breaks, opens it again after a while,
 * but not once the session is over.
 */
export async function keepStreamOpen(options: StreamOptions): Promise<void> {
  const { member, lastEventId, onNews, onLost, onOver, signal } = options;
  let failures = 0;
  while (!signal.aborted) {
    let wait = Math.min(MAX_WAIT_MS, FIRST_WAIT * 2 ** failures);
    failures++;
    try {
      const response = await requestEvents({ member, lastEventId: lastEventId(), signal });
      relaySessionEvents();
      if (response.status === 200 && response.body) {
        await readEvents(response.body, {
          onRetry(milliseconds) {
            if (milliseconds < MAX_SERVER_WAIT_MS) wait = milliseconds;
          },
          onNews(news) {
            failures = 0;
            onNews(news);
          },
        });
      } else if (OVER.has(response.status)) return onOver(readSessionEnd(response));
      else {
        onLost();
        wait = waitAfter(response) ?? wait;
      }
    } catch {
      // Aborted, or without a connection, which others report.
      if (!signal.aborted) onLost();
    }
    // Clients that are sent away together come back at different times. One that is sent away because it has signed out
    // comes back after the browser has noticed.
    await sleep(Math.max(MIN_WAIT_MS, wait * (0.5 + Math.random())), signal);
  }
}

function waitAfter({ headers }: Response): number | undefined {
  const serverWait = Number(headers.get("Retry-After")) * SECOND;
  return serverWait > 0 && serverWait < MAX_SERVER_WAIT_MS ? serverWait : undefined;
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
