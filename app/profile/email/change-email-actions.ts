import { data } from "react-router";
import { RequestEmailChangeInput, VerifyEmailChangeInput } from "../../../server/email-change/contract.ts";
import { NO_FIELDS, readForm } from "../../forms/receive.ts";
import { apiContext, type RequestArgs } from "../../page/context.ts";
import { receiveForm, showDone } from "../profile-form.ts";

/**
 * Requests the change, requests its email again, or completes it with the code from the email. The field `intent` says
 * which.
 */
export async function actOnEmail({ request, context, url }: RequestArgs) {
  const page = { context, url };
  const form = await readForm(request);
  const { emailChange } = context.get(apiContext);
  switch (form.get("intent")) {
    case "email":
      return receiveForm(page, { form, intent: "email", schema: RequestEmailChangeInput }, async (input) => {
        await emailChange.request(input);
        return showDone(context, "email-code");
      });
    case "resend":
      return receiveForm(page, { form, intent: "resend", schema: NO_FIELDS }, async () => {
        await emailChange.resend();
        return showDone(context, "email-code");
      });
    case "code":
      return receiveForm(page, { form, intent: "code", schema: VerifyEmailChangeInput }, async (input) => {
        await emailChange.verify(input);
        return showDone(context, "email");
      });
    default:
      throw data(null, { status: 400 });
  }
}
