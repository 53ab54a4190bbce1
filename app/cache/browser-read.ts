import { readBody, toNetworkError } from "../api/api-error.ts";
import { withParams } from "../ui/with-params.ts";
import { awaitResponse } from "./connection.ts";
import type { Read } from "./read.ts";

/** The header with the member whose page asks, so that the proxy never responds with another member's data. */
export const MEMBER_HEADER = "x-nodebeat-member";

/** How often a read that waits checks whether the page is still being left, in milliseconds. */
const LEAVING_MS = 1000;

type ReadEvents = {
  /** Called when the session has ended, or another tab has signed in another member. */
  onSignedOut: () => void;
  /** Returns whether that is already known. While it is, no request is sent. */
  isOver: () => boolean;
  /** Called after every response, which may have brought an event of the authentication provider. */
  onResponse: () => void;
};

/** Creates a function that reads through the read proxy. It rejects with an ApiError. */
export function createBrowserRead(member: string, { onSignedOut, isOver, onResponse }: ReadEvents): Read {
  return async ({ path }, query, signal) => {
    // The page is being left: an error would only flash up. It may stay after all, if its load is stopped.
    while (isOver()) await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
    const answer = fetch(withParams(`/read/${path}`, query), {
      headers: { Accept: "application/json", [MEMBER_HEADER]: member },
      ...(signal && { signal }),
    });
    const response = await awaitResponse(answer).catch((error: unknown) => {
      // A read that nobody waits for any more has not failed.
      if (signal?.aborted) throw error;
      throw toNetworkError(error);
    });
    onResponse();
    if (response.status === 401) onSignedOut();
    return readBody(response);
  };
}
