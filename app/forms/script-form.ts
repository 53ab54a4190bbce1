import { redirect } from "react-router";
import type * as z from "zod";
import { ApiError } from "../api/api-error.ts";
import { say } from "../outcome/outcome.ts";
import { TOAST, type ToastWord } from "../outcome/toast-words.ts";
import { sessionContext, type PageArgs } from "../page/context.ts";
import { answerScript, isForMember, NO_STORE, refuse } from "../page/json-answer.ts";
import { MEMBER_FIELD } from "../session/member-field.ts";
import { receiveForMember } from "./receive.ts";

type ScriptForm<Shape extends z.ZodType> = {
  form: FormData;
  schema: Shape;
  /** What the sign-in page says to whoever is signed out by now. */
  signedOut: ToastWord;
  /** What is said of a failure that is not in the server's own words; without it whatever the error says. */
  unavailable?: string;
};

/**
 * Takes in a form of the profile that only a script can send, since only a script can ask a wallet. It is answered in
 * JSON, errors in the shape of the API's own. Whoever is signed out by now is led to sign-in; whoever is another
 * member, to the page that the form's own address leads to.
 */
export function receiveFromScript<Shape extends z.ZodType>(
  { context, url }: PageArgs,
  { form, schema, signedOut, unavailable }: ScriptForm<Shape>,
  send: (input: z.output<Shape>) => Promise<object>,
): Promise<Response> {
  return answerScript(context, async () => {
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
      if (error instanceof Response) say(context, TOAST, signedOut);
      throw error;
    }
  });
}
