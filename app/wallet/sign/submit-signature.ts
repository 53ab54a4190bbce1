import { parseWithZod } from "@conform-to/zod/v4";
import type { RouterContextProvider } from "react-router";
import { WalletSignatureInput } from "../../../server/wallet/contract.ts";
import { toApiError } from "../../api/api-error.ts";
import { apiContext, logContext } from "../../page/context.ts";
import { isRefusedToken } from "../../page/page-reads.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { say } from "../../outcome/outcome.ts";
import { TOAST } from "../../outcome/toast-words.ts";
import { readForm } from "../../forms/checked-form.ts";
import { actForMember } from "../../page/member-page.ts";
import { SIGN_WORDS, type SignPurpose } from "./sign-words.ts";

type ActionArgs = { request: Request; context: Readonly<RouterContextProvider>; url: URL };

export type SignatureOutcome = { done: true } | { done: false; message: string | null };

/** Hands in what the wallet has signed. Who is signed out by now is told so where they sign in. */
export async function submitSignature({ context, request, url }: ActionArgs, purpose: SignPurpose) {
  const form = await readForm(request);
  const page = { context, url: new URL("/profile", url) };
  try {
    return await actForMember(page, { form, keep: [] }, () => save(context, form, purpose));
  } catch (error) {
    if (error instanceof Response) say(context, TOAST, "wallet-signed-out");
    throw error;
  }
}

async function save(context: ActionArgs["context"], form: FormData, purpose: SignPurpose) {
  const { refused, failed } = SIGN_WORDS[purpose];
  const message = form.get("message");
  // Forms end their lines with two characters, and what was signed has one.
  if (typeof message === "string") form.set("message", message.replaceAll("\r\n", "\n"));
  const submission = parseWithZod(form, { schema: WalletSignatureInput });
  if (submission.status !== "success") {
    const [message = failed] = Object.values(submission.error ?? {}).flatMap((each) => each ?? []);
    return refuse(message, 400);
  }
  try {
    const { success } = await context.get(apiContext).wallet[purpose](submission.value);
    if (success === false) return refuse(refused, 503);
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    const { fromServer, message, status } = toApiError(error);
    if (status >= 500) context.get(logContext).error({ err: error }, "A signature could not be handed in");
    return refuse(fromServer ? message : failed, status);
  }
  say(context, AUTH_EVENT, "USER_UPDATED");
  return answer({ done: true }, {});
}

const refuse = (message: string, status: number) => answer({ done: false, message }, { status });

const answer = (outcome: SignatureOutcome, init: ResponseInit) => Response.json(outcome, init);
