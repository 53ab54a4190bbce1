import type { Submission, SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect, type RouterContextProvider } from "react-router";
import type * as z from "zod";
import { toApiError } from "../api/api-error.ts";
import { logContext } from "../page/context.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { say } from "../outcome/outcome.ts";
import { explainFailure } from "../forms/form-failure.ts";
import { PROFILE_NOTE, sectionHref, type Done } from "./profile-view.ts";

const UNAVAILABLE = "This does not work right now. Please try again in a moment.";

/** What comes of a form that was refused: shown in the section whose intent it is. */
export type Refusal = { intent: string; result: SubmissionResult; retryAt?: string };

/** The key of a machine, which is in one answer and nowhere after it. */
export type MadeKey = { name: string; deviceKey: string };

type ReceivedForm<Shape extends z.ZodType> = { form: FormData; intent: string; schema: Shape };

/** Takes in a form of the profile and sends it on. What is refused comes back with its messages. */
export async function receiveForm<Shape extends z.ZodType, Sent>(
  context: Readonly<RouterContextProvider>,
  { form, intent, schema }: ReceivedForm<Shape>,
  send: (input: z.output<Shape>) => Promise<Sent>,
) {
  const submission: Submission<z.output<Shape>> = parseWithZod(form, { schema });
  if (submission.status !== "success") {
    return data<Refusal>({ intent, result: submission.reply(KEPT_BACK) }, { status: 400 });
  }
  try {
    return await send(submission.value);
  } catch (error) {
    if (error instanceof Response || isRefusedToken(error)) throw error;
    const { status, headers, retryAt, ...messages } = explainFailure(toApiError(error), { unavailable: UNAVAILABLE });
    if (status === 503) context.get(logContext).error({ err: error }, "A form of the profile could not be sent on");
    const result = submission.reply({ ...KEPT_BACK, ...messages });
    return data<Refusal>({ intent, result, ...(retryAt && { retryAt }) }, { status, headers });
  }
}

/** Neither a password nor a code is ever sent back. */
const KEPT_BACK = { hideFields: ["currentPassword", "password", "verificationCode"] };

/** Shows the page again, with what was done. The other tabs learn of it. */
export function showDone(context: Readonly<RouterContextProvider>, done: Done, cookies: string[] = []): Response {
  say(context, AUTH_EVENT, "USER_UPDATED");
  say(context, PROFILE_NOTE, done);
  const headers = cookies.map((line): [string, string] => ["Set-Cookie", line]);
  return redirect(sectionHref(done), { status: 303, headers });
}
