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
import { isMissing } from "../api/missing-calls.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

type DocumentQuery = { document: LegalDocumentName; version?: number };

/** The documents that members accept. `callOwn` asks the API of this installation, which has documents of its own. */
export function createLegalClient(call: Caller, callIfOffered: OptionalCaller, callOwn: Caller) {
  /** Of a version that is not there it has to be found out whether that is so, or no document is. */
  async function readDocument(query: DocumentQuery): Promise<LegalDocument> {
    const { document, version } = query;
    if (version === undefined) return (await readCurrent(document)) ?? callOwn(readLegalDocument, { query });
    try {
      return await call(readLegalDocument, { query });
    } catch (error) {
      if (!isMissing(error) || (await readCurrent(document))) throw error;
      return callOwn(readLegalDocument, { query });
    }
  }
  const readCurrent = (document: LegalDocumentName) => callIfOffered(readLegalDocument, { query: { document } });

  return {
    /** A version of a document: the one that holds now, unless given. This installation's, where the backend has none. */
    document: readDocument,
    /** A response that fails to parse counts as not accepted. */
    termsStatus: () => call(readTermsStatus, {}, { onMismatch: { istosAccepted: false } }),
    /** The version that was shown, where that is known. */
    acceptTerms: (version?: number) =>
      call(
        acceptTerms,
        { query: { version } },
        {
          onMismatch: { success: false, message: "Failed to parse response" },
          retries: WRITE_RETRIES.acceptTerms,
        },
      ),
    privacyStatus: () => call(readPrivacyStatus, {}),
    acceptPrivacy: (version?: number) =>
      call(acceptPrivacy, { query: { version } }, { retries: WRITE_RETRIES.default }),
  };
}
