import { changePassword, type ChangePasswordInput } from "../../server/auth/contract.ts";
import { readSecurityActivity } from "../../server/security-activity/contract.ts";
import { logout, readSessions, revokeOtherSessions, revokeSession } from "../../server/sessions/contract.ts";
import { requireOffered, type Caller, type OptionalCaller } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** Creates the calls about where a member is signed in, and what happened to their account. */
export function createSessionsClient(call: Caller, callIfOffered: OptionalCaller) {
  return {
    /** Null if the backend has no list. */
    list: () => callIfOffered(readSessions, {}),
    /** Null if the backend keeps none. */
    activity: (query: { page: number; limit: number }) => callIfOffered(readSecurityActivity, { query }),
    /** Ends one session. Rejects with NOT_FOUND if it has already ended. */
    revoke: (id: string) => call(revokeSession, { params: { id } }, { retries: WRITE_RETRIES.default }),
    revokeOthers: () => requireOffered(callIfOffered(revokeOtherSessions, {}, { retries: WRITE_RETRIES.default })),
    /** Ends the session that makes the call. Null if the backend cannot: its token then expires. */
    logout: () => callIfOffered(logout, {}, { retries: WRITE_RETRIES.default }),
    /** Rejects with VALIDATION_ERROR for the field `currentPassword` or `password`. Never sent twice. */
    changePassword: (input: ChangePasswordInput) => requireOffered(callIfOffered(changePassword, { body: input })),
  };
}
