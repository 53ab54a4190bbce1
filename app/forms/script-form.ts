import { redirect } from "react-router";
import type * as z from "zod";
import { ApiError } from "../api/api-error.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { TOAST, type ToastWord } from "../outcome/toast-words.ts";
import { sessionContext, type PageArgs } from "../page/context.ts";
import { respondToScript, isForMember, NO_STORE, refuse } from "../page/json-response.ts";
import { MEMBER_FIELD } from "../session/member-field.ts";
import { receiveForMember } from "./receive.ts";

type ScriptForm<Shape extends z.ZodType> = {
  form: FormData;
  schema: Shape;
  /** What the sign-in page says to a member who has been signed out meanwhile. */
  signedOut: ToastWord;
  /** The text for a failure that the server has not put into words. If absent, the message of the error. */
  unavailable?: string;
};

/**
 * Receives a form of the profile that only a script can send, because only a script can ask a wallet. Responds in JSON,
 * with errors in the shape of the API's own. A member who has been signed out is led to sign-in, and another member to
 * the page at the form's own address.
 */
export function receiveFromScript<Shape extends z.ZodType>(
  { context, url }: PageArgs,
  { form, schema, signedOut, unavailable }: ScriptForm<Shape>,
  send: (input: z.output<Shape>) => Promise<object>,
): Promise<Response> {
  return respondToScript(context, async () => {
    if (context.get(sessionContext).session && !isForMember(context, form.get(MEMBER_FIELD)))
      throw redirect(url.pathname);
    try {
      return await receiveForMember(
        { context, url: new URL("/profile", url) },
        { form, schema, unavailable },
        async (input) => Response.json(await send(input), { headers: NO_STORE }),
        ({ error, message }) => {
          if (!error) return refuse(new ApiError(message, "VALIDATION_ERROR", 400));
          const isOurs = unavailable !== undefined && !error.fromServer;
          return refuse(isOurs ? new ApiError(unavailable, error.code, error.status) : error);
        },
      );
    } catch (error) {
      if (error instanceof Response) leaveOutcome(context, TOAST, signedOut);
      throw error;
    }
  });
}
