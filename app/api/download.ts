import type { Endpoint } from "../../server/http/contract.ts";
import { ApiError, readErrorResponse, toNetworkError } from "./api-error.ts";
import { toRequest, type CallerOptions, type CallInput } from "./call.ts";

export type Downloader = ReturnType<typeof createDownloader>;

/** Fetches what is answered as a file: it is passed on as it comes, and not looked at. Every failure is an ApiError. */
export function createDownloader({ main, auth, accessToken }: CallerOptions) {
  const transports = { main, auth };
  return async function download<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Response> {
    if (!accessToken) throw new ApiError("No access token provided", "UNAUTHENTICATED", 401);
    const { baseUrl, headers, fetchFile } = transports[endpoint.service];
    const request = toRequest(endpoint, input, baseUrl, { ...headers, Authorization: `Bearer ${accessToken}` });
    const response = await fetchFile(request).catch((error: unknown) => {
      throw toNetworkError(error);
    });
    if (!response.ok) throw await readErrorResponse(response);
    return response;
  };
}
