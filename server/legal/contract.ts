import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";

export const TermsStatus = z.object({ istosAccepted: z.boolean() });
export type TermsStatus = z.infer<typeof TermsStatus>;

export const PrivacyStatus = z.object({ isppAccepted: z.boolean() });
export type PrivacyStatus = z.infer<typeof PrivacyStatus>;

const legal = { service: "main", access: "member" } as const;

export const readTermsStatus = endpoint({
  ...legal,
  method: "GET",
  path: "/api/users/istosaccepted",
  summary: "Whether the member has accepted the current Terms of Service",
  response: TermsStatus,
});

export const acceptTerms = endpoint({
  ...legal,
  method: "POST",
  path: "/api/users/accept-tos",
  summary: "Accept the current Terms of Service",
  response: GenericResult,
});

export const readPrivacyStatus = endpoint({
  ...legal,
  method: "GET",
  path: "/api/users/isppaccepted",
  summary: "Whether the member has accepted the current Privacy Policy",
  response: PrivacyStatus,
});

export const acceptPrivacy = endpoint({
  ...legal,
  method: "POST",
  path: "/api/users/accept-pp",
  summary: "Accept the current Privacy Policy",
  response: GenericResult,
});
