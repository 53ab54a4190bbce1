import { readErrorResponse, toApiError, toNetworkError } from "./api-error.ts";
import type { Read } from "./reads.ts";

/** Names the member whose page asks, so that the proxy never answers it with another's data. */
export const MEMBER_HEADER = "x-nodebeat-member";

/**
 * Reads through the read proxy. Rejects with an ApiError.
 * `onSignedOut` is called when the session has ended, or has become another member's in another tab.
 */
export function createBrowserRead(member: string, onSignedOut: () => void): Read {
  return async (name, query, signal) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = given.length > 0 ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : "";
    const response = await fetch(`/read/${name}${search}`, {
      headers: { Accept: "application/json", [MEMBER_HEADER]: member },
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      // A read that nobody waits for any more has not failed.
      if (signal?.aborted) throw error;
      throw toNetworkError(error);
    });
    if (response.status === 401) onSignedOut();
    if (!response.ok) throw await readErrorResponse(response);
    return response.json().catch((error: unknown) => {
      throw toApiError(error);
    });
  };
}
