import { data } from "react-router";
import type { LegalDocument, LegalDocumentName } from "../../server/legal/contract.ts";
import { ApiError } from "../api/api-error.ts";
import { apiContext, type PageContext } from "../page/context.ts";

/** Loads a document for its page, in its current version by default. Throws a 404 for a version that never existed. */
export async function loadDocument(
  context: PageContext,
  name: LegalDocumentName,
  version: string | undefined,
): Promise<LegalDocument> {
  if (version !== undefined && !/^[1-9]\d{0,3}$/.test(version)) throw data(null, { status: 404 });
  const query = { document: name, ...(version && { version: Number(version) }) };
  try {
    return await context.get(apiContext).legal.document(query);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) throw data(null, { status: 404 });
    throw data(null, { status: 503, headers: { "Retry-After": "5" } });
  }
}
