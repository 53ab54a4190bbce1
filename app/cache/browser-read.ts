import { readAnswer, toNetworkError } from "../api/api-error.ts";
import { withParams } from "../ui/with-params.ts";
import { awaitAnswer } from "./connection.ts";
import type { Read } from "./read.ts";

/** Names the member whose page asks, so that the proxy never answers it with another's data. */
export const MEMBER_HEADER = "x-nodebeat-member";

type ReadEvents = {
  /** The session has ended, or has become another member's in another tab. */
  onSignedOut: () => void;
  /** Whether that is known already: then nobody is asked. */
  isOver: () => boolean;
  /** An answer came, and with it perhaps an event of the authentication provider. */
  onAnswer: () => void;
};

/** Reads through the read proxy. Rejects with an ApiError. */
export function createBrowserRead(member: string, { onSignedOut, isOver, onAnswer }: ReadEvents): Read {
  return async ({ path }, query, signal) => {
    // The page is being left: a failure would only be seen in passing.
    if (isOver()) return new Promise<never>(() => {});
    const answer = fetch(withParams(`/read/${path}`, query), {
      headers: { Accept: "application/json", [MEMBER_HEADER]: member },
      ...(signal && { signal }),
    });
    const response = await awaitAnswer(answer).catch((error: unknown) => {
      // A read that nobody waits for any more has not failed.
      if (signal?.aborted) throw error;
      throw toNetworkError(error);
    });
    onAnswer();
    if (response.status === 401) onSignedOut();
    return readAnswer(response);
  };
}
