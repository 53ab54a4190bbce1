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
import { SECRET_FIELDS } from "./secret-fields.ts";
import { nextMinute } from "./next-minute.ts";

/** Shown for a refused sign-in if the backend gives no message. */
const NO_MATCH = "That email and password do not match.";
const UNAVAILABLE = "This does not work right now. Please try again in a moment.";
/** For a field that came twice, or as a file instead of a text. */
const DAMAGED = "This arrived damaged. Please send it again.";
const explainIssue: z.core.$ZodErrorMap = ({ code }) => (code === "invalid_type" ? DAMAGED : undefined);

export type ReceivedForm<Shape extends z.ZodType> = {
  form: FormData;
  schema: Shape;
  /** What to say while the server cannot be reached, if not UNAVAILABLE. */
  unavailable?: string | undefined;
  /** The field that shows the error if a credential is refused. */
  credential?: string;
};

/** Why a form was refused, in each of the ways that a page may report it. */
export type Refused = {
  /** The status of the page. */
  status: number;
  headers: Record<string, string>;
  /** For a page that shows the form again: the messages above it and beside its fields. */
  result: SubmissionResult;
  /** The same in a sentence, for a page without fields. */
  message: string;
  /** When to try again after too many attempts, as ISO 8601, if the server says so. */
  retryAt?: string | undefined;
  /** The error of the call. Undefined for a form that was not sent on. */
  error?: ApiError;
};

/** Reads the form of a request. Responds with 400 if there is none. */
export function readForm(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw data(null, { status: 400 });
  });
}

/** The schema of a form without fields. */
export const NO_FIELDS = z.object({});

/**
 * Receives a form. Sends it on if it fits its schema, and has the page refuse it if it does not, or if sending fails.
 * Passes on a response that is thrown.
 */
export const receive = <Shape extends z.ZodType, Sent, Refusal>(
  context: PageContext,
  received: ReceivedForm<Shape>,
  send: (input: z.output<Shape>) => Promise<Sent>,
  refuse: (refused: Refused) => Refusal,
) => take(context, received, send, refuse, () => false);

type MemberForm<Shape extends z.ZodType, Refusal> = ReceivedForm<Shape> & {
  /** The fields to keep when the session is over (see actForMember). */
  draftFields?: readonly string[];
  /** The answer if these are too long to keep (see actForMember). */
  showAgain?: (headers: Headers) => Refusal;
};

/** Receives a form of a member's page. Leads to sign-in without a session, or with one that the API refuses. */
export const receiveForMember = <Shape extends z.ZodType, Sent, Refusal>(
  page: PageArgs,
  { draftFields = [], showAgain, ...received }: MemberForm<Shape, Refusal>,
  send: (input: z.output<Shape>, session: Session) => Promise<Sent>,
  refuse: (refused: Refused) => Refusal,
) =>
  actForMember<Sent | Refusal>(page, { form: received.form, draftFields, showAgain }, (session) =>
    take(page.context, received, (input) => send(input, session), refuse, isRefusedToken),
  );

async function take<Shape extends z.ZodType, Sent, Refusal>(
  context: PageContext,
  { form, schema, unavailable = UNAVAILABLE, credential }: ReceivedForm<Shape>,
  send: (input: z.output<Shape>) => Promise<Sent>,
  refuse: (refused: Refused) => Refusal,
  isPassedOn: (error: unknown) => boolean,
) {
  const submission: Submission<z.output<Shape>> = parseWithZod(form, { schema, error: explainIssue });
  const hidden = { hideFields: SECRET_FIELDS };
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

/** Matches a message that only names the status, which many frameworks send by default. It explains nothing. */
const STATUS_NAME = /^(?:bad request|unauthori[sz]ed|forbidden|not found|conflict)\.?$/i;

/** Decides whether to report a failed call beside a field or above the form, and with which status. */
function explainFailure(error: ApiError, { form, unavailable, credential }: Sent): Explained {
  const { fields, fromServer, message, status } = error;
  const isExplained = fromServer && !STATUS_NAME.test(message);
  if (status >= 500) return { status: 503, formErrors: [unavailable] };
  if (status === 401 && credential)
    return { status, fieldErrors: { [credential]: [isExplained ? message : NO_MATCH] } };
  const fieldEntries = Object.entries(fields ?? {});
  if (fieldEntries.length > 0) {
    const beside = fieldEntries.filter(([name]) => form.has(name));
    const above = fieldEntries.filter(([name]) => !form.has(name)).flatMap(([, messages]) => messages);
    return { status, fieldErrors: Object.fromEntries(beside), ...(above.length > 0 && { formErrors: above }) };
  }
  return { status, formErrors: [isExplained ? message : unavailable] };
}

/** Keeps the `Retry-After` of a route's action, or of the error in place of its page, in the route's headers. */
export const forwardRetryAfter: HeadersFunction = ({ actionHeaders, errorHeaders = actionHeaders }) => {
  const retryAfter = errorHeaders.get("Retry-After");
  return new Headers(retryAfter === null ? {} : { "Retry-After": retryAfter });
};
