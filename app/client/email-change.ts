import {
  readEmailChange,
  requestEmailChange,
  resendEmailChange,
  verifyEmailChange,
  type RequestEmailChangeInput,
  type VerifyEmailChangeInput,
} from "../../server/email-change/contract.ts";
import type { Caller, OptionalCaller } from "../api/call.ts";

/** The address that the member signs in with. What sends a mail, tries a password or spends a code is never sent twice. */
export function createEmailChangeClient(call: Caller, callIfOffered: OptionalCaller) {
  return {
    /** Null where the backend cannot change it. */
    read: () => callIfOffered(readEmailChange, {}),
    /** Rejects with VALIDATION_ERROR, its fields `email` or `password`. */
    request: (input: RequestEmailChangeInput) => call(requestEmailChange, { body: input }),
    resend: () => call(resendEmailChange, {}),
    verify: (input: VerifyEmailChangeInput) => call(verifyEmailChange, { body: input }),
  };
}
