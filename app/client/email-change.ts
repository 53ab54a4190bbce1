import {
  readEmailChange,
  requestEmailChange,
  resendEmailChange,
  verifyEmailChange,
  type RequestEmailChangeInput,
  type VerifyEmailChangeInput,
} from "../../server/email-change/contract.ts";
import { orRefuse, type OptionalCaller } from "../api/call.ts";

/**
 * The address that the member signs in with. What sends a mail, tries a password or spends a code is never sent twice.
 */
export function createEmailChangeClient(callIfOffered: OptionalCaller) {
  return {
    /** Null where the backend cannot change it. */
    read: () => callIfOffered(readEmailChange, {}),
    /** Rejects with VALIDATION_ERROR, its fields `email` or `password`. */
    request: (input: RequestEmailChangeInput) => orRefuse(callIfOffered(requestEmailChange, { body: input })),
    resend: () => orRefuse(callIfOffered(resendEmailChange, {})),
    verify: (input: VerifyEmailChangeInput) => orRefuse(callIfOffered(verifyEmailChange, { body: input })),
  };
}
