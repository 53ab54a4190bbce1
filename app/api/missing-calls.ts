import type { Endpoint } from "../../server/http/contract.ts";
import { ApiError } from "./api-error.ts";

/** For so long a call is not asked for again, in milliseconds: the backend's next version may have it. */
const REMEMBERED_MS = 5 * 60_000;
/** The same where a gateway may have spoken, which has nobody behind it while the backend starts anew. */
const DOUBTED_MS = 5_000;

/** The statuses of a backend that does not have a call. */
const MISSING_CALL = new Set([404, 405, 501]);

export type MissingCalls = ReturnType<typeof createMissingCalls>;

type Call = Pick<Endpoint, "access" | "method" | "path">;

const nameOf = ({ method, path }: Call) => `${method} ${path}`;

/**
 * Which calls the backend turned out not to have, for every request of this process. Only for calls whose address names
 * nothing that may be missing by itself. `now` goes on whatever the clock is set to.
 */
export function createMissingCalls(now = () => performance.now()) {
  const until = new Map<string, number>();

  return {
    /** What the call brings; null where the backend does not have it. */
    async askFor<Answer>(call: Call, ask: () => Promise<Answer>): Promise<Answer | null> {
      if ((until.get(nameOf(call)) ?? 0) > now()) return null;
      try {
        return await ask();
      } catch (error) {
        if (!isMissing(error) && !isClosedToStrangers(call, error)) throw error;
        until.set(nameOf(call), now() + (isOfBackend(error) ? REMEMBERED_MS : DOUBTED_MS));
        return null;
      }
    },
    /** Seconds until a missing call is asked for again. */
    secondsLeft: (call: Call): number => Math.max(1, Math.ceil(((until.get(nameOf(call)) ?? 0) - now()) / 1000)),
  };
}

export const isMissing = (error: unknown): boolean => error instanceof ApiError && MISSING_CALL.has(error.status);

/** Whether an error has the shape of the specification (section 8): what a gateway says has not. */
const isOfBackend = (error: unknown) => error instanceof ApiError && error.code !== "VALIDATION_ERROR";

/** A backend may refuse strangers before it looks at the address: what it has for anyone, it would not. */
const isClosedToStrangers = ({ access, method }: Call, error: unknown) =>
  access === "anyone" &&
  method === "GET" &&
  error instanceof ApiError &&
  (error.status === 401 || error.status === 403);

/** Why nothing comes of what a backend does not have. `retryAfter`: seconds until it is asked for again. */
export const notOffered = (retryAfter?: number) =>
  new ApiError("This is not available here.", "NOT_OFFERED", 404, { fromServer: true, retryAfter });
