import { readBody, toNetworkError } from "../api/api-error.ts";
import { awaitResponse } from "../cache/connection.ts";
import { REPEATED } from "./repeated.ts";
import { MEMBER_FIELD } from "./member-field.ts";
import { relaySessionEvents } from "./session-events.ts";

/**
 * Sends a form from a script to a route that responds with JSON. Rejects with an ApiError. If the session is over, the
 * page goes to the address in the response, and the promise never settles.
 */
export async function sendForm<Answer>(
  action: string,
  member: string,
  fields: Iterable<[name: string, value: FormDataEntryValue]>,
): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of [...fields, [MEMBER_FIELD, member] as const]) body.set(name, value);
  const headers = { Accept: "application/json" };
  async function send(more?: Record<string, string>) {
    const answer = await awaitResponse(fetch(action, { method: "POST", headers: { ...headers, ...more }, body }));
    // A partial response counts as none.
    return new Response(await answer.blob(), answer);
  }
  // If no response came, the form may have been processed. Sent again, it gets the result of the first attempt.
  const response = await send()
    .catch(() => send(REPEATED))
    .catch((error: unknown) => {
      throw toNetworkError(error);
    });
  const elsewhere = response.status === 401 && response.headers.get("Location");
  if (elsewhere) {
    // Session events are left for the page there.
    location.assign(elsewhere);
    return new Promise<never>(() => {});
  }
  relaySessionEvents();
  return readBody(response);
}
