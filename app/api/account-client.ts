import {
  exportData,
  keepAccount,
  requestDeletion,
  type RequestDeletionInput,
} from "../../server/account-data/contract.ts";
import type { Caller } from "./call.ts";
import type { Downloader } from "./download.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** What is kept about a member, and its end. */
export function createAccountClient(call: Caller, download: Downloader) {
  return {
    /** Everything that is kept about the member: the file as it comes. Rejects with TOO_MANY_ATTEMPTS. */
    exportData: () => download(exportData, {}),
    /** Rejects with VALIDATION_ERROR, its field `password`. Never sent twice. */
    requestDeletion: (input: RequestDeletionInput) => call(requestDeletion, { body: input }),
    keep: () => call(keepAccount, {}, { retries: WRITE_RETRIES.default }),
  };
}
