import { data, redirect } from "react-router";
import * as z from "zod";
import type { ActionEvent } from "../analytics/events.ts";
import { queueEvent } from "../analytics/measuring.ts";
import { receiveForMember } from "../forms/receive.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import type { PageArgs } from "../page/context.ts";
import { CLAIM_NOTE } from "./claim-outcome.tsx";

type Claim = {
  form: FormData;
  /** The shape of the field `id`. */
  id: z.ZodType<string>;
  send: (id: string) => Promise<unknown>;
  /** The page that says what was claimed. */
  href: string;
  /** Returns the event to report, if the user allows that. */
  eventFor: (id: string) => ActionEvent;
};

/** The error of a claim while the server is not available. */
export const UNAVAILABLE = "The points could not be claimed right now. Please try again in a moment.";

/**
 * Claims what a form's `id` names, and shows the page again. A refusal is logged, and shown where the member claimed
 * (product specification, section 8: the claim error).
 */
export function claimPoints(args: PageArgs, { form, id, send, href, eventFor }: Claim) {
  return receiveForMember(
    args,
    { form, schema: z.object({ id }), unavailable: UNAVAILABLE },
    async (claim) => {
      await send(claim.id);
      queueEvent(args.context, eventFor(claim.id));
      leaveOutcome(args.context, CLAIM_NOTE, "made", claim.id);
      return redirect(href, { status: 303 });
    },
    ({ error, headers, message, status }) => {
      // Nobody typed the id, so there is no field that could show an error.
      if (!error) throw data(null, { status: 400 });
      return data({ refusal: message }, { status, headers });
    },
  );
}
