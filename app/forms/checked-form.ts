import { data } from "react-router";
import type * as z from "zod";
import type { BotCheckToken } from "../../server/auth/contract.ts";
import { ApiError } from "../api/api-error.ts";
import { apiContext, type PageContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { requestContext } from "../page/request-context.ts";
import { isDecoyEmpty } from "./decoy.ts";
import { receive, type ReceivedForm } from "./receive.ts";

const NOT_A_PERSON = "The bot check did not pass. Please try again.";

/**
 * Receives a form that the bot check guards, and sends it on if it passes the check and its schema. Otherwise it comes
 * back with a fresh check, because loaders do not run again for it.
 */
export const receiveChecked = <Shape extends z.ZodType>(
  context: PageContext,
  received: ReceivedForm<Shape>,
  send: (input: z.output<Shape>) => Promise<Response>,
) =>
  receive(
    context,
    received,
    async (input) => {
      if (isDecoyEmpty(received.form)) return send(input);
      throw new ApiError(NOT_A_PERSON, "NOT_A_PERSON", 422, { fromServer: true });
    },
    async ({ status, headers, result, retryAt }) => {
      const noToken = result.error?.["turnstileToken"] && { "": [NOT_A_PERSON] };
      const reported = { ...result, error: { ...result.error, ...noToken } };
      return data({ result: reported, check: await openCheck(context), retryAt }, { status, headers });
    },
  );

/** Loads a page with such a form. The status is 503 if no token is available, but the page still shows. */
export async function loadCheckedForm<Rest extends object>(context: PageContext, rest: Rest) {
  const check = await openCheck(context);
  return data({ ...rest, check }, { status: check === null ? 503 : 200 });
}

async function openCheck(context: PageContext): Promise<BotCheckToken | null> {
  try {
    const check = await context.get(apiContext).auth.issueBotCheck();
    if (check.turnstileToken) context.get(requestContext).oneTime?.push(check.turnstileToken);
    return check;
  } catch (error) {
    logFailure(context, error, "No bot-check token for a form");
    return null;
  }
}
