import {
  readEmailChange,
  requestEmailChange,
  resendEmailChange,
  verifyEmailChange,
  type RequestEmailChangeInput,
  type VerifyEmailChangeInput,
} from "../../server/email-change/contract.ts";
import { requireOffered, type OptionalCaller } from "../api/call.ts";

/**
 * Creates the calls that change the address a member signs in with. Those that send an email, try a password or spend a
 * code are never sent twice.
 */
export function createEmailChangeClient(callIfOffered: OptionalCaller) {
  return {
    /** Null if the backend cannot change it. */
    read: () => callIfOffered(readEmailChange, {}),
    /** Rejects with VALIDATION_ERROR for the field `email` or `password`. */
    request: (input: RequestEmailChangeInput) => requireOffered(callIfOffered(requestEmailChange, { body: input })),
    resend: () => requireOffered(callIfOffered(resendEmailChange, {})),
    verify: (input: VerifyEmailChangeInput) => requireOffered(callIfOffered(verifyEmailChange, { body: input })),
  };
}
