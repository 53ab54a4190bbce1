import { parseWithZod } from "@conform-to/zod/v4";
import { redirect, type RouterContextProvider } from "react-router";
import * as z from "zod";
import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { toApiError } from "../api/api-error.ts";
import type { ApiClient } from "../client/client.ts";
import { apiContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { readForm } from "../forms/checked-form.ts";
import { actForMember, HOME } from "../page/member-page.ts";
import { returnPath } from "../page/return-path.ts";
import { acceptedCookie, skippedCookie } from "./legal-flags.ts";
import { LEGAL_NOTES, type LegalOutcome } from "./legal-words.ts";
import { say } from "../outcome/outcome.ts";

type ActionArgs = { request: Request; context: Readonly<RouterContextProvider>; url: URL };

const Consent = z.object({ accept: z.literal("on") });

const STATUS: Record<LegalOutcome, number> = { accepted: 200, required: 400, failed: 503 };

/**
 * Accepts a document in its current version. Leads back to the page that the form was on, which says what became of
 * it; a script that asks for JSON is told directly.
 */
export async function acceptDocument({ request, context, url }: ActionArgs, document: LegalDocumentName) {
  const form = await readForm(request);
  const returnTo = returnPath(form.get("returnTo"), url, HOME);
  // Whoever has to sign in first comes back to the page, too.
  const page = { context, url: new URL(returnTo, url) };
  return actForMember(page, { form, keep: [] }, async ({ userId = "" }) => {
    const { status } = parseWithZod(form, { schema: Consent });
    const outcome = status === "success" ? await accept(context, document) : "required";
    const cookies = outcome === "accepted" ? keepAcceptance(document, userId) : [];
    if (request.headers.get("Accept") === "application/json") {
      return Response.json({ outcome }, { status: STATUS[outcome], headers: toHeaders(cookies) });
    }
    say(context, LEGAL_NOTES[document], outcome);
    return redirect(returnTo, { status: 303, headers: toHeaders(cookies) });
  });
}

const ACCEPT: Record<LegalDocumentName, (api: ApiClient) => Promise<{ success: boolean }>> = {
  tos: (api) => api.legal.acceptTerms(),
  pp: (api) => api.legal.acceptPrivacy(),
};

/** Failed when the API says so, and when it cannot be asked. */
async function accept(context: ActionArgs["context"], document: LegalDocumentName): Promise<LegalOutcome> {
  try {
    const { success } = await ACCEPT[document](context.get(apiContext));
    return success ? "accepted" : "failed";
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    logFailure(context, toApiError(error), "A document could not be accepted");
    return "failed";
  }
}

function keepAcceptance(document: LegalDocumentName, member: string): string[] {
  if (!member) return [];
  if (document === "tos") return [acceptedCookie("tosAccepted", member, true)];
  return [acceptedCookie("ppAccepted", member, true), skippedCookie(member, false)];
}

const toHeaders = (cookies: string[]) => cookies.map((line): [string, string] => ["Set-Cookie", line]);
