import { data, redirect } from "react-router";
import * as z from "zod";
import { AcceptanceQuery, type LegalDocumentName } from "../../server/legal/contract.ts";
import { ApiError } from "../api/api-error.ts";
import type { ApiClient } from "../client/client.ts";
import { UNREADABLE } from "../client/legal.ts";
import { readForm, receiveForMember } from "../forms/receive.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { apiContext, sessionContext } from "../page/context.ts";
import { respondToScript } from "../page/json-response.ts";
import { HOME } from "../page/member-page.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { returnPath } from "../page/return-path.ts";
import type { Route } from "./+types/accept-document.route";
import { acceptedCookie, skippedCookie } from "./legal-flags.ts";
import { LEGAL, LEGAL_NOTES, type LegalOutcome } from "./legal-words.ts";

/** By exact address: if another spelling led here, nobody could tell which document was meant. */
const DOCUMENTS = new Map<string, LegalDocumentName>([
  [LEGAL.tos.action, "tos"],
  [LEGAL.pp.action, "pp"],
]);

const Consent = z.object({ accept: z.literal("on"), version: AcceptanceQuery.shape.version });

const STATUS: Record<LegalOutcome, number> = { accepted: 200, required: 400, failed: 503 };

/**
 * Accepts the version of a document that the page has asked about. Redirects to the page with the form, which shows the
 * result. A script that asks for JSON gets the result directly.
 */
export async function action({ request, context, url }: Route.ActionArgs) {
  const document = DOCUMENTS.get(url.pathname);
  if (!document) throw data(null, { status: 404 });
  const form = await readForm(request);
  const returnTo = returnPath(form.get("returnTo"), url, HOME);
  const isScript = request.headers.get("Accept") === "application/json";

  const respond = (outcome: LegalOutcome, cookies: string[] = []) => {
    const headers = cookies.map((line): [string, string] => ["Set-Cookie", line]);
    if (isScript) return Response.json({ outcome }, { status: STATUS[outcome], headers });
    leaveOutcome(context, LEGAL_NOTES[document], outcome);
    return redirect(returnTo, { status: 303, headers });
  };
  const api = context.get(apiContext);
  const respondAccepted = () =>
    respond("accepted", acceptanceCookies(document, context.get(sessionContext).session?.userId));
  const accept = async () =>
    receiveForMember(
      // A member who has to sign in first comes back to that page, too.
      { context, url: new URL(returnTo, url) },
      { form, schema: Consent },
      async ({ version }) => {
        const { success, message } = await ACCEPT[document](api, version);
        // A refusal with status 200, or a response that cannot be read.
        const fromServer = Boolean(message) && message !== UNREADABLE;
        if (!success) throw new ApiError(message, "API_ERROR", 422, { fromServer });
        return respondAccepted();
      },
      async ({ error }) => {
        if (!error) return respond("required");
        // The response may be lost or unreadable. Then what counts is what the backend says now.
        return !isRefusal(error) && (await isAccepted(document, api)) ? respondAccepted() : respond("failed");
      },
    );
  return isScript ? respondToScript(context, accept) : accept();
}

type Accepted = { success: boolean; message: string };

const ACCEPT: Record<LegalDocumentName, (api: ApiClient, version?: number) => Promise<Accepted>> = {
  tos: (api, version) => api.legal.acceptTerms(version),
  pp: (api, version) => api.legal.acceptPrivacy(version),
};

const IS_ACCEPTED: Record<LegalDocumentName, (api: ApiClient) => Promise<boolean>> = {
  tos: async (api) => (await api.legal.termsStatus()).istosAccepted,
  pp: async (api) => (await api.legal.privacyStatus()).isppAccepted,
};

/** Returns whether the backend itself has refused. */
const isRefusal = ({ fromServer, status }: ApiError) => fromServer && status < 500;

async function isAccepted(document: LegalDocumentName, api: ApiClient): Promise<boolean> {
  try {
    return await IS_ACCEPTED[document](api);
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    return false;
  }
}

function acceptanceCookies(document: LegalDocumentName, member: string | undefined): string[] {
  if (!member) return [];
  if (document === "tos") return [acceptedCookie("tosAccepted", member, true)];
  return [acceptedCookie("ppAccepted", member, true), skippedCookie(member, false)];
}

export const loader = () => redirect("/");
