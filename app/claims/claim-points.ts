import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect, type RouterContextProvider } from "react-router";
import * as z from "zod";
import type { ActionEvent } from "../analytics/events.ts";
import { noteEvent } from "../analytics/measuring.ts";
import { toApiError } from "../api/api-error.ts";
import { logFailure } from "../page/log-failure.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { actForMember } from "../page/member-page.ts";
import { say } from "../outcome/outcome.ts";
import { CLAIM_NOTE } from "./claim-outcome.tsx";
import { explainFailure } from "../forms/form-failure.ts";

type PageArgs = { context: Readonly<RouterContextProvider>; url: URL };

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

const UNAVAILABLE = "The points could not be claimed right now. Please try again in a moment.";

/**
 * Claims what a form's `id` names, and shows the page again. A refusal is logged and shown where it was asked for
 * (product specification, section 8: the claim error).
 */
export async function claimPoints(args: PageArgs, { form, id, send, href, eventFor }: Claim) {
  return actForMember(args, { form, keep: [] }, async () => {
    const submission = parseWithZod(form, { schema: z.object({ id }) });
    // Nobody has typed it: there is no field to say it beside.
    if (submission.status !== "success") throw data(null, { status: 400 });
    const claimed = submission.value.id;
    try {
      await send(claimed);
    } catch (error) {
      return refuse(args, error);
    }
    noteEvent(args.context, eventFor(claimed));
    say(args.context, CLAIM_NOTE, "made", claimed);
    return redirect(href, { status: 303 });
  });
}

function refuse({ context }: PageArgs, error: unknown) {
  if (isRefusedToken(error)) throw error;
  logFailure(context, error, "A claim failed");
  const { formErrors, headers, status } = explainFailure(toApiError(error), { unavailable: UNAVAILABLE });
  return data({ refusal: formErrors?.join(" ") ?? UNAVAILABLE }, { status, headers });
}
