import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data, type RouterContextProvider } from "react-router";
import type * as z from "zod";
import type { BotCheckToken } from "../../server/auth/contract.ts";
import { toApiError } from "../api/api-error.ts";
import { apiContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { requestContext } from "../page/request-context.ts";
import { leftDecoyAlone } from "./decoy.ts";
import { explainFailure } from "./form-failure.ts";

const NOT_A_PERSON = "The bot check did not pass. Please try again.";

type Context = Readonly<RouterContextProvider>;

type CheckedForm<Shape extends z.ZodType> = {
  form: FormData;
  schema: Shape;
  /** What is said while the server cannot be asked. */
  unavailable: string;
  /** The field that a refused credential is told beside. */
  credential?: string;
};

/** The form of a request; a page that answers 400 for what is none. */
export function readForm(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw data(null, { status: 400 });
  });
}

/**
 * Takes in a form that the bot check guards, and sends on what passes both. What does not, and what is refused where
 * it is sent to, comes back with its messages and a fresh check, since loaders do not run again for it.
 */
export async function receiveCheckedForm<Shape extends z.ZodType>(
  context: Context,
  { form, schema, ...wording }: CheckedForm<Shape>,
  send: (input: z.output<Shape>) => Promise<Response>,
) {
  const submission: Submission<z.output<Shape>> = parseWithZod(form, { schema });
  const refuse = (status: number, messages: Messages, details: { headers?: HeadersInit; retryAt?: string } = {}) =>
    refuseForm(context, { status, result: submission.reply({ ...KEPT_BACK, ...messages }), ...details });

  if (submission.status !== "success") {
    const noToken = submission.error?.turnstileToken && { formErrors: [NOT_A_PERSON] };
    return refuse(400, { ...noToken });
  }
  if (!leftDecoyAlone(form)) return refuse(422, { formErrors: [NOT_A_PERSON] });
  try {
    return await send(submission.value);
  } catch (error) {
    const { status, headers, retryAt, ...messages } = explainFailure(toApiError(error), wording);
    if (status === 503) logFailure(context, error, "A form could not be sent on");
    return refuse(status, messages, { headers, ...(retryAt && { retryAt }) });
  }
}

/** A password is never sent back, and a spent token is of no use to anyone. */
const KEPT_BACK = { hideFields: ["password", "turnstileToken"] };

type Messages = { formErrors?: string[]; fieldErrors?: Record<string, string[]> };
type Refused<Result> = { status: number; result: Result; headers?: HeadersInit; retryAt?: string };

async function refuseForm<Result>(context: Context, { status, result, headers = {}, retryAt }: Refused<Result>) {
  return data({ result, check: await openCheck(context), retryAt }, { status, headers });
}

/** What a page with such a form loads; 503 while there is no token to be had, though the page still shows. */
export async function loadCheckedForm<Rest extends object>(context: Context, rest: Rest) {
  const check = await openCheck(context);
  return data({ ...rest, check }, { status: check === null ? 503 : 200 });
}

async function openCheck(context: Context): Promise<BotCheckToken | null> {
  try {
    const check = await context.get(apiContext).auth.issueBotCheck();
    if (check.turnstileToken) context.get(requestContext).oneTime?.push(check.turnstileToken);
    return check;
  } catch (error) {
    logFailure(context, error, "No bot-check token for a form");
    return null;
  }
}
