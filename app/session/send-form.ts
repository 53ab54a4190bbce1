import { readAnswer, toNetworkError } from "../api/api-error.ts";
import { awaitAnswer } from "../cache/connection.ts";
import { REPEATED } from "./repeated.ts";
import { MEMBER_FIELD } from "./member-field.ts";
import { passOnSessionNews } from "./session-news.ts";

/**
 * Sends a form for a script: to a route that answers in JSON. Rejects with an ApiError. Where the session is over the
 * page leaves for the address that the answer names, and the promise never settles.
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
    const answer = await awaitAnswer(fetch(action, { method: "POST", headers: { ...headers, ...more }, body }));
    // Half an answer is none.
    return new Response(await answer.blob(), answer);
  }
  // Where no answer came it may have been done: sent again, it is answered by what came of it.
  const response = await send()
    .catch(() => send(REPEATED))
    .catch((error: unknown) => {
      throw toNetworkError(error);
    });
  const elsewhere = response.status === 401 && response.headers.get("Location");
  if (elsewhere) {
    // What has been said is for the page there.
    location.assign(elsewhere);
    return new Promise<never>(() => {});
  }
  passOnSessionNews();
  return readAnswer(response);
}
