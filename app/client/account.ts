import {
  exportData,
  keepAccount,
  requestDeletion,
  type RequestDeletionInput,
} from "../../server/account-data/contract.ts";
import { requireOffered, type Caller, type OptionalCaller, type Sender } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** Creates the calls for the data kept about a member, and for the end of their account. */
export function createAccountClient(call: Caller, callIfOffered: OptionalCaller, send: Sender) {
  return {
    /** Returns everything that is kept about the member, as the file arrives. Rejects with TOO_MANY_ATTEMPTS. */
    exportData: () => send(exportData, {}),
    /** Rejects with VALIDATION_ERROR for the field `password`. Never sent twice. */
    requestDeletion: (input: RequestDeletionInput) => requireOffered(callIfOffered(requestDeletion, { body: input })),
    keep: () => call(keepAccount, {}, { retries: WRITE_RETRIES.default }),
  };
}
