import { data, redirect } from "react-router";
import type * as z from "zod";
import { ProfileInput } from "../../server/profile/contract.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { receiveForMember } from "../forms/receive.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import type { PageArgs, PageContext } from "../page/context.ts";
import type { Session } from "../session/session.ts";
import type { KeyRefusal } from "../start-node/created-key.ts";
import { PROFILE_NOTE, sectionHref, type Done } from "./profile-outcome.ts";

/** Fields whose typed values may come back after signing in again. */
export const DRAFT_FIELDS = ["email", ...Object.keys(ProfileInput.shape)];

/** Why a form was refused. The section with this intent shows it. */
export type Refusal = KeyRefusal & { intent: string };

type ReceivedForm<Shape extends z.ZodType> = { form: FormData; intent: string; schema: Shape };

/** Validates a form of the profile and sends it on. A form that is refused comes back with its errors. */
export const receiveForm = <Shape extends z.ZodType, Sent>(
  page: PageArgs,
  { form, intent, schema }: ReceivedForm<Shape>,
  send: (input: z.output<Shape>, session: Session) => Promise<Sent>,
) =>
  receiveForMember(page, { form, schema, draftFields: DRAFT_FIELDS }, send, ({ status, headers, result, retryAt }) =>
    data<Refusal>({ intent, result, ...(retryAt && { retryAt }) }, { status, headers }),
  );

type DoneOptions = {
  /** The id of what it was done to, if the page has to know. */
  about?: string;
  cookies?: string[];
};

/** Redirects to the section that says what was done. The other tabs are notified. */
export function showDone(context: PageContext, done: Done, { about, cookies = [] }: DoneOptions = {}): Response {
  leaveOutcome(context, AUTH_EVENT, "USER_UPDATED");
  leaveOutcome(context, PROFILE_NOTE, done, about);
  const headers = cookies.map((line): [string, string] => ["Set-Cookie", line]);
  return redirect(sectionHref(done), { status: 303, headers });
}
