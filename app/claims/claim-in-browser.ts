import { isRouteErrorResponse, redirect } from "react-router";
import type { Change } from "../cache/changes.ts";
import { changeReads, getBrowserQueryClient, refreshReads } from "../cache/query-client.ts";
import { REPEATED } from "../session/repeated.ts";

type ClaimArgs<Answer> = { request: Request; serverAction: () => Promise<Answer> };

const UNANSWERED = "The server did not answer. Reload the page to see whether your claim went through.";
const REFUSED = "The points could not be claimed. Reload the page, then try again.";

/**
 * Sends the claim of a page's form, and once more if no response comes. Marks everything that a claim may change as
 * stale (product specification, section 4).
 */
export async function claimInBrowser<Answer>({ request, serverAction }: ClaimArgs<Answer>, changes: Change[]) {
  const copy = request.clone();
  const refusal = await changeReads(changes, () =>
    serverAction().catch((error: unknown) => {
      // The member has gone on to something else.
      if (request.signal.aborted || error instanceof Response || isRouteErrorResponse(error)) throw error;
      return repeat(copy);
    }),
  );
  // A successful claim loads the page again. After a refusal the router loads nothing, but the page has to show new
  // data.
  void refreshReads(getBrowserQueryClient(), ...changes);
  return refusal;
}

async function repeat(request: Request): Promise<{ refusal: string }> {
  const sent = { method: "POST", body: await request.formData(), headers: REPEATED, redirect: "manual" } as const;
  const answer = await fetch(request.url, sent).catch(() => null);
  // The response to a form without scripts: the page that it redirects to says what was claimed.
  if (answer?.type === "opaqueredirect") throw redirect(new URL(request.url).pathname + new URL(request.url).search);
  return { refusal: answer ? REFUSED : UNANSWERED };
}
