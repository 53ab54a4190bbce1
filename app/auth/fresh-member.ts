import { userQuery } from "../api/queries.ts";
import { areFresh, getBrowserQueryClient } from "../api/query-client.ts";

/**
 * The browser's side of `guardMember`, as a client loader: while the member's data is fresh there is nothing to ask.
 * Kept apart from it, because what the browser loads must not reach the typed client.
 */
export async function guardFreshMember({ serverLoader }: { serverLoader: () => Promise<null> }): Promise<null> {
  return areFresh(getBrowserQueryClient(), (read) => [userQuery(read)]) ? null : serverLoader();
}
