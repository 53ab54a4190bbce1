import type { Submission, SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data, type HeadersFunction } from "react-router";
import * as z from "zod";
import { toApiError, type ApiError, type ErrorFields } from "../api/api-error.ts";
import type { PageArgs, PageContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { actForMember } from "../page/member-page.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import type { Session } from "../session/session.ts";
import { NEVER_SENT_BACK } from "./never-sent-back.ts";
import { nextMinute } from "./next-minute.ts";

/** Said of a refused sign-in where the backend has no words for it. */
const NO_MATCH = "That email and password do not match.";
const UNAVAILABLE = "This does not work right now. Please try again in a moment.";
/** Of a field that came twice, or as a file where a text was asked for. */
const DAMAGED = "This arrived damaged. Please send it again.";
const explainIssue: z.core.$ZodErrorMap = ({ code }) => (code === "invalid_type" ? DAMAGED : undefined);

export type ReceivedForm<Shape extends z.ZodType> = {
  form: FormData;
  schema: Shape;
  /** What is said while the server cannot be asked, where it is not UNAVAILABLE. */
  unavailable?: string | undefined;
  /** The field that a refused credential is told beside. */
  credential?: string;
};

/** What a form was refused for, in whatever way its page says it. */
export type Refused = {
  /** The page's own status. */
  status: number;
  headers: Record<string, string>;
  /** For a page that shows the form again: what is said above it and beside its fields. */
  result: SubmissionResult;
  /** The same in a sentence, for a page without fields. */
  message: string;
  /** When to try again after too many attempts, as ISO 8601, where the server says so. */
  retryAt?: string | undefined;
  /** What came of the call; undefined for a form that was not sent on. */
  error?: ApiError;
};

/** The form of a request; a page that answers 400 for what is none. */
export function readForm(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw data(null, { status: 400 });
  });
}

/** What a form without fields brings. */
export const NO_FIELDS = z.object({});

/**
 * Takes in a form: sends on what fits its schema, and has the page refuse what does not, or what fails on its way. An
 * answer that is thrown passes through.
 */
export const receive = <Shape extends z.ZodType, Sent, Answer>(
  context: PageContext,
  received: ReceivedForm<Shape>,
  send: (input: z.output<Shape>) => Promise<Sent>,
  refuse: (refused: Refused) => Answer,
) => take(context, received, send, refuse, () => false);

type MemberForm<Shape extends z.ZodType> = ReceivedForm<Shape> & {
  /** The fields that are kept when the session is over (see actForMember). */
  keep?: readonly string[];
};

/** The same for a form of a member's page: without a session, or with one the API refuses, it leads to sign-in. */
export const receiveForMember = <Shape extends z.ZodType, Sent, Answer>(
  page: PageArgs,
  { keep = [], ...received }: MemberForm<Shape>,
  send: (input: z.output<Shape>, session: Session) => Promise<Sent>,
  refuse: (refused: Refused) => Answer,
) =>
  actForMember(page, { form: received.form, keep }, (session) =>
    take(page.context, received, (input) => send(input, session), refuse, isRefusedToken),
  );

async function take<Shape extends z.ZodType, Sent, Answer>(
  context: PageContext,
  { form, schema, unavailable = UNAVAILABLE, credential }: ReceivedForm<Shape>,
  send: (input: z.output<Shape>) => Promise<Sent>,
  refuse: (refused: Refused) => Answer,
  isPassedOn: (error: unknown) => boolean,
) {
  const submission: Submission<z.output<Shape>> = parseWithZod(form, { schema, error: explainIssue });
  const hidden = { hideFields: NEVER_SENT_BACK };
  if (submission.status !== "success") {
    const [message = unavailable] = Object.values(submission.error ?? {}).flatMap((each) => each ?? []);
    return refuse({ status: 400, headers: {}, result: submission.reply(hidden), message });
  }
  try {
    return await send(submission.value);
  } catch (thrown) {
    if (thrown instanceof Response || isPassedOn(thrown)) throw thrown;
    logFailure(context, thrown, "A form was refused");
    const error = toApiError(thrown);
    const { retryAfter } = error;
    const { status, ...messages } = explainFailure(error, { form, unavailable, credential });
    return refuse({
      status,
      headers: retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) },
      result: submission.reply({ ...hidden, ...messages }),
      message: messages.formErrors?.join(" ") ?? unavailable,
      retryAt: status === 429 && retryAfter ? nextMinute(Date.now() + retryAfter * 1000) : undefined,
      error,
    });
  }
}

type Sent = { form: FormData; unavailable: string; credential: string | undefined };
type Explained = { status: number; formErrors?: string[]; fieldErrors?: ErrorFields };

/** Which field or form a failed call is told beside, and the status of the page that tells it. */
function explainFailure(error: ApiError, { form, unavailable, credential }: Sent): Explained {
  const { fields, fromServer, message, status } = error;
  if (status >= 500) return { status: 503, formErrors: [unavailable] };
  if (status === 401 && credential) return { status, fieldErrors: { [credential]: [fromServer ? message : NO_MATCH] } };
  const told = Object.entries(fields ?? {});
  if (told.length > 0) {
    const beside = told.filter(([name]) => form.has(name));
    const above = told.filter(([name]) => !form.has(name)).flatMap(([, messages]) => messages);
    return { status, fieldErrors: Object.fromEntries(beside), ...(above.length > 0 && { formErrors: above }) };
  }
  return { status, formErrors: [fromServer ? message : unavailable] };
}

/** The `headers` of a route whose action tells when to try again, or what has failed in place of its page. */
export const keepRetryAfter: HeadersFunction = ({ actionHeaders, errorHeaders = actionHeaders }) => {
  const retryAfter = errorHeaders.get("Retry-After");
  return new Headers(retryAfter === null ? {} : { "Retry-After": retryAfter });
};
