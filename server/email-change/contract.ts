import * as z from "zod";
import { Email } from "../auth/contract.ts";
import { RequestDeletionInput } from "../account-data/contract.ts";
import { endpoint, GenericResult } from "../http/contract.ts";
import { Resend, VerificationCode } from "../mailed-code/contract.ts";

export const RequestEmailChangeInput = z.object({
  email: Email,
  password: RequestDeletionInput.shape.password,
});
export type RequestEmailChangeInput = z.infer<typeof RequestEmailChangeInput>;

export const VerifyEmailChangeInput = z.object({ verificationCode: VerificationCode });
export type VerifyEmailChangeInput = z.infer<typeof VerifyEmailChangeInput>;

export const EmailChange = z
  .object({
    /** False if another service keeps the addresses, because only that service can change them. */
    isOffered: z.boolean(),
    /** The address that waits for its code, and where the resend ladder stands. Null if there is none. */
    pending: z.object({ email: z.string(), resend: Resend }).nullable(),
  })
  .meta({ id: "EmailChange" });
export type EmailChange = z.infer<typeof EmailChange>;

export const EmailChangeResult = z.object({ resend: Resend }).meta({ id: "EmailChangeResult" });
export type EmailChangeResult = z.infer<typeof EmailChangeResult>;

export const readEmailChange = endpoint("GET /api/auth/email-change", {
  summary: "Whether the member can change the email they sign in with, and the new one that waits for its code",
  mayLag: true,
  response: EmailChange,
});

export const requestEmailChange = endpoint("POST /api/auth/email-change", {
  summary: "Email a code to the new email address; needs the password",
  body: RequestEmailChangeInput,
  response: EmailChangeResult,
  fails: ["TOO_MANY_ATTEMPTS", "REQUIREMENTS_NOT_MET", "UNAVAILABLE"],
});

export const resendEmailChange = endpoint("POST /api/auth/email-change/resend", {
  summary: "Email another code to the new email address",
  response: EmailChangeResult,
  fails: ["TOO_MANY_ATTEMPTS", "EXPIRED", "REQUIREMENTS_NOT_MET"],
});

export const verifyEmailChange = endpoint("POST /api/auth/email-change/verify", {
  summary: "Confirm the new email address with the emailed code",
  body: VerifyEmailChangeInput,
  response: GenericResult,
  fails: ["TOO_MANY_ATTEMPTS", "EXPIRED", "CONFLICT", "REQUIREMENTS_NOT_MET"],
});
