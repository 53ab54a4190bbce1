import * as z from "zod";
import { WalletMessageQuery, WalletSignatureInput } from "../../../server/wallet/contract.ts";
import { ApiError } from "../../api/api-error.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { isOurText } from "../../client/wallet-message.ts";
import { readForm } from "../../forms/receive.ts";
import { receiveFromScript } from "../../forms/script-form.ts";
import { leaveOutcome } from "../../outcome/outcome.ts";
import { apiContext, originContext, type RequestArgs } from "../../page/context.ts";
import { notAsShown } from "./not-as-shown.ts";
import { SIGN_WORDS, type SignPurpose } from "./sign-words.ts";

const Form = z.discriminatedUnion("intent", [
  WalletMessageQuery.omit({ purpose: true }).extend({ intent: z.literal("request") }),
  WalletSignatureInput.extend({ intent: z.literal("submit") }),
]);

/** The message for the wallet to sign, if the form asked for one. */
export type SigningResponse = { message?: string };

/**
 * Fetches the message for the wallet to sign, and submits the signature. A member who has been signed out meanwhile
 * learns so where they sign in.
 */
export async function submitSignature({ context, request, url }: RequestArgs, purpose: SignPurpose) {
  const { refused, failed } = SIGN_WORDS[purpose];
  const form = await readForm(request);
  const message = form.get("message");
  // Forms end lines with CRLF. The wallet has signed LF.
  if (typeof message === "string") form.set("message", message.replaceAll("\r\n", "\n"));
  return receiveFromScript(
    { context, url },
    { form, schema: Form, unavailable: failed, signedOut: "wallet-signed-out" },
    async (input): Promise<SigningResponse> => {
      const api = context.get(apiContext);
      if (input.intent === "request") {
        const site = context.get(originContext);
        const { address, origin = site } = input;
        const answer = await api.wallet.message({ address, origin, purpose });
        // Checked here, and not in the browser: this process is ours as the page is, and writes the same text itself.
        if (isOurText(answer.message, { address, purpose, origins: [origin, site] })) return answer;
        throw notAsShown("The backend wants a text signed that is not ours for this wallet and page");
      }
      const { address, message: signed, signature } = input;
      const answer = await api.wallet[purpose]({ address, message: signed, signature });
      if (answer.success === false) throw new ApiError(refused(answer.message), "API_ERROR", 422, { fromServer: true });
      leaveOutcome(context, AUTH_EVENT, "USER_UPDATED");
      return {};
    },
  );
}
