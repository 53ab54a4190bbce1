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

/** What accepting the terms answers for a response that fails to parse (product specification, section 5). */
export const UNREADABLE = "Failed to parse response";

/** The documents that members accept. `callOwn` asks the API of this installation, which has documents of its own. */
export function createLegalClient(call: Caller, callIfOffered: OptionalCaller, callOwn: Caller) {
  /**
   * Of a version that is not there nobody could tell whether that is so, or no document is: so the current one comes
   * first.
   */
  async function readDocument({ document, version }: DocumentQuery): Promise<LegalDocument> {
    const current = await callIfOffered(readLegalDocument, { query: { document } });
    if (current && version === undefined) return current;
    return (current ? call : callOwn)(readLegalDocument, { query: { document, version } });
  }

  return {
    /**
     * A version of a document: the one that holds now, unless given. This installation's, where the backend has none.
     */
    document: readDocument,
    /** A response that fails to parse counts as not accepted. */
    termsStatus: () => call(readTermsStatus, {}, { onMismatch: { istosAccepted: false } }),
    /** The version that was shown, where that is known. */
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
