import type { Endpoint } from "../../server/http/contract.ts";
import { ApiError } from "./api-error.ts";

/** How long to wait before trying a missing call again, in milliseconds. The backend's next version may have it. */
const REMEMBERED_MS = 5 * 60_000;
/** The same if the response may come from a gateway, which has no backend behind it during a restart. */
const DOUBTED_MS = 5_000;

/** The status codes of a backend that does not have a call. */
const MISSING_CALL = new Set([404, 405, 501]);

export type MissingCalls = ReturnType<typeof createMissingCalls>;

type Call = Pick<Endpoint, "access" | "method" | "path">;

const nameOf = ({ method, path }: Call) => `${method} ${path}`;

/**
 * Remembers which calls the backend does not have, for all requests of this process. Only for calls whose address names
 * nothing that can be missing on its own. `now` must not follow changes of the system clock.
 */
export function createMissingCalls(now = () => performance.now()) {
  const until = new Map<string, number>();

  return {
    /** Returns the result of the call, or null if the backend does not have it. */
    async callUnlessMissing<Answer>(call: Call, send: () => Promise<Answer>): Promise<Answer | null> {
      if ((until.get(nameOf(call)) ?? 0) > now()) return null;
      try {
        return await send();
      } catch (error) {
        if (!isMissing(error) && !isClosedToStrangers(call, error)) throw error;
        if (!isAboutWhatItNames(call, error))
          until.set(nameOf(call), now() + (isOfBackend(error) ? REMEMBERED_MS : DOUBTED_MS));
        return null;
      }
    },
    /** Returns how many seconds remain until a missing call is tried again. */
    secondsLeft: (call: Call): number => Math.max(1, Math.ceil(((until.get(nameOf(call)) ?? 0) - now()) / 1000)),
  };
}

export const isMissing = (error: unknown): boolean => error instanceof ApiError && MISSING_CALL.has(error.status);

/**
 * Returns whether a 404 may be about what a write's body or its caller names, such as an address that nobody has. It
 * says nothing about the call then, and must not close a form for others.
 */
const isAboutWhatItNames = ({ method }: Call, error: unknown) =>
  method !== "GET" && error instanceof ApiError && error.status === 404;

/** Returns whether an error has the shape of the specification (section 8). A gateway's error does not. */
const isOfBackend = (error: unknown) => error instanceof ApiError && error.code !== "VALIDATION_ERROR";

/**
 * Returns whether the backend refused a visitor before it looked at the address. It would not refuse a call that it
 * offers to anyone.
 */
const isClosedToStrangers = ({ access, method }: Call, error: unknown) =>
  access === "anyone" &&
  method === "GET" &&
  error instanceof ApiError &&
  (error.status === 401 || error.status === 403);

/**
 * Creates the error for something that the backend does not have. `retryAfter`: how many seconds until it is tried
 * again.
 */
export const notOffered = (retryAfter?: number) =>
  new ApiError("This is not available here.", "NOT_OFFERED", 404, { fromServer: true, retryAfter });
