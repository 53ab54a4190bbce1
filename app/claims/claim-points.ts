import { data, redirect } from "react-router";
import * as z from "zod";
import type { ActionEvent } from "../analytics/events.ts";
import { noteEvent } from "../analytics/measuring.ts";
import { receiveForMember } from "../forms/receive.ts";
import { say } from "../outcome/outcome.ts";
import type { PageArgs } from "../page/context.ts";
import { CLAIM_NOTE } from "./claim-outcome.tsx";

type Claim = {
  form: FormData;
  /** What the field `id` must look like. */
  id: z.ZodType<string>;
  send: (id: string) => Promise<unknown>;
  /** The page that says what was claimed. */
  href: string;
  /** What is told of it, where that is wanted. */
  eventFor: (id: string) => ActionEvent;
};

/** Said of a claim while the server cannot be asked. */
export const UNAVAILABLE = "The points could not be claimed right now. Please try again in a moment.";

/**
 * Claims what a form's `id` names, and shows the page again. A refusal is logged and shown where it was asked for
 * (product specification, section 8: the claim error).
 */
export function claimPoints(args: PageArgs, { form, id, send, href, eventFor }: Claim) {
  return receiveForMember(
    args,
    { form, schema: z.object({ id }), unavailable: UNAVAILABLE },
    async (claim) => {
      await send(claim.id);
      noteEvent(args.context, eventFor(claim.id));
      say(args.context, CLAIM_NOTE, "made", claim.id);
      return redirect(href, { status: 303 });
    },
    ({ error, headers, message, status }) => {
      // Nobody has typed it: there is no field to say it beside.
      if (!error) throw data(null, { status: 400 });
      return data({ refusal: message }, { status, headers });
    },
  );
}
