import {
  exportData,
  keepAccount,
  requestDeletion,
  type RequestDeletionInput,
} from "../../server/account-data/contract.ts";
import { orRefuse, type Caller, type OptionalCaller, type Sender } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** What is kept about a member, and its end. */
export function createAccountClient(call: Caller, callIfOffered: OptionalCaller, send: Sender) {
  return {
    /** Everything that is kept about the member: the file as it comes. Rejects with TOO_MANY_ATTEMPTS. */
    exportData: () => send(exportData, {}),
    /** Rejects with VALIDATION_ERROR, its field `password`. Never sent twice. */
    requestDeletion: (input: RequestDeletionInput) => orRefuse(callIfOffered(requestDeletion, { body: input })),
    keep: () => call(keepAccount, {}, { retries: WRITE_RETRIES.default }),
  };
}
