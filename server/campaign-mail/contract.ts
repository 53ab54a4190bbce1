import * as z from "zod";
import { Email, Token } from "../auth/contract.ts";
import { endpoint, GenericResult } from "../http/contract.ts";
import { Resend, UnsubscribeInput, VerificationCode } from "../mailed-code/contract.ts";

export const SendCampaignEmailInput = z.object({ email: Email });
export type SendCampaignEmailInput = z.infer<typeof SendCampaignEmailInput>;

export const SendCampaignEmailResult = z
  .object({ token: z.string(), resend: Resend })
  .meta({ id: "SendCampaignEmailResult" });
export type SendCampaignEmailResult = z.infer<typeof SendCampaignEmailResult>;

export const VerifyCampaignEmailInput = z.object({ token: Token, verificationCode: VerificationCode });
export type VerifyCampaignEmailInput = z.infer<typeof VerifyCampaignEmailInput>;

export const CampaignMailInput = z.object({ subscribed: z.boolean() });
export type CampaignMailInput = z.infer<typeof CampaignMailInput>;

export const CampaignMail = z
  .object({
    /** Where campaign emails go. Null for the address that the member signs in with. */
    email: z.string().nullable(),
    /** An address that the member has entered and that waits for its code. */
    pendingEmail: z.string().nullable(),
    subscribed: z.boolean(),
  })
  .meta({ id: "CampaignMail" });
export type CampaignMail = z.infer<typeof CampaignMail>;

export const readCampaignMail = endpoint("GET /api/auth/campaign", {
  summary: "Whether the member gets campaign emails, and where",
  mayLag: true,
  response: CampaignMail,
});

export const sendCampaignEmail = endpoint("POST /api/auth/campaign/send", {
  summary: "Email a code to an address for campaign emails, or another one if asked again",
  body: SendCampaignEmailInput,
  response: SendCampaignEmailResult,
  fails: ["TOO_MANY_ATTEMPTS"],
});

export const verifyCampaignEmail = endpoint("POST /api/auth/campaign/verify", {
  summary: "Confirm the address for campaign emails with the emailed code",
  body: VerifyCampaignEmailInput,
  response: GenericResult,
  fails: ["EXPIRED", "ALREADY_USED", "TOO_MANY_ATTEMPTS"],
});

export const setCampaignMail = endpoint("POST /api/auth/campaign/subscription", {
  summary: "Turn campaign emails on or off",
  body: CampaignMailInput,
  response: GenericResult,
});

export const unsubscribeCampaignMail = endpoint("POST /api/auth/campaign/unsubscribe", {
  access: "anyone",
  summary: "Turn campaign emails off with the code of the link in one of them",
  body: UnsubscribeInput,
  response: GenericResult,
  fails: ["NOT_FOUND"],
});
