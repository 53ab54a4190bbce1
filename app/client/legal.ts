import {
  acceptPrivacy,
  acceptTerms,
  readLegalDocument,
  readPrivacyStatus,
  readTermsStatus,
  type LegalDocument,
  type LegalDocumentName,
} from "../../server/legal/contract.ts";
import type { Caller, OptionalCaller } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

type DocumentQuery = { document: LegalDocumentName; version?: number };

/** The message if the response to accepting the terms fails to parse (product specification, section 5). */
export const UNREADABLE = "Failed to parse response";

/**
 * Creates the calls about the documents that members accept. `callOwn` calls the API of this installation, which has
 * its own documents.
 */
export function createLegalClient(call: Caller, callIfOffered: OptionalCaller, callOwn: Caller) {
  /**
   * Requests the current version first. Otherwise nobody could tell whether only the requested version is missing, or
   * whether the backend has no documents at all.
   */
  async function readDocument({ document, version }: DocumentQuery): Promise<LegalDocument> {
    const current = await callIfOffered(readLegalDocument, { query: { document } });
    if (current && version === undefined) return current;
    return (current ? call : callOwn)(readLegalDocument, { query: { document, version } });
  }

  return {
    /**
     * Returns a version of a document, by default the current one. If the backend has no documents, it is one of this
     * installation's.
     */
    document: readDocument,
    /** A response that fails to parse counts as not accepted. */
    termsStatus: () => call(readTermsStatus, {}, { onMismatch: { istosAccepted: false } }),
    /** Takes the version that was shown, if it is known. */
    acceptTerms: (version?: number) =>
      call(
        acceptTerms,
        { query: { version } },
        {
          onMismatch: { success: false, message: UNREADABLE },
          bringsRefusal: true,
          retries: WRITE_RETRIES.acceptTerms,
        },
      ),
    privacyStatus: () => call(readPrivacyStatus, {}),
    acceptPrivacy: (version?: number) =>
      call(acceptPrivacy, { query: { version } }, { retries: WRITE_RETRIES.default }),
  };
}
