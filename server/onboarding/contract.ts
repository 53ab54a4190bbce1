import * as z from "zod";
import { endpoint } from "../http/contract.ts";

export const WhitelistResult = z.object({ isWhitelisted: z.boolean() }).meta({ id: "WhitelistResult" });
export type WhitelistResult = z.infer<typeof WhitelistResult>;

export const OnboardedResult = z.object({ success: z.boolean() }).meta({ id: "OnboardedResult" });
export type OnboardedResult = z.infer<typeof OnboardedResult>;

const OnboardInput = z.object({ userId: z.string().min(1).max(64) });

export const OnboardResult = z.object({ alreadyExists: z.boolean().optional() }).meta({ id: "OnboardResult" });

export const readWhitelisted = endpoint("GET /api/users/is-whitelisted", {
  summary: "Whether the member takes part in the test network",
  mayLag: true,
  response: WhitelistResult,
});

export const readOnboarded = endpoint("GET /api/users/user-onboarded", {
  summary: "Whether the member has been onboarded",
  mayLag: true,
  response: OnboardedResult,
});

export const onboard = endpoint("POST /api/users/onboard", {
  summary: "Onboard the signed-in member",
  body: OnboardInput,
  response: OnboardResult,
  fails: ["FORBIDDEN"],
});
