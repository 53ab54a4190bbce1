import * as z from "zod";
import { endpoint } from "../http/contract.ts";

export const AdministratorStanding = z
  .object({
    id: z.string(),
    email: z.string(),
    /** Until when the password need not be given again in this session. Null if it must be given now. */
    passwordUntil: z.iso.datetime().nullable(),
  })
  .meta({ id: "AdministratorStanding" });
export type AdministratorStanding = z.infer<typeof AdministratorStanding>;

export const ConfirmPasswordInput = z.object({
  password: z.string("Enter your password.").min(1, "Enter your password.").max(1024, "That is not your password."),
});
export type ConfirmPasswordInput = z.infer<typeof ConfirmPasswordInput>;

export const readStanding = endpoint("GET /api/admin/standing", {
  access: "administrator",
  needsNoPassword: true,
  summary: "The administrator who asks, and until when they need not enter their password again",
  response: AdministratorStanding,
});

export const confirmPassword = endpoint("POST /api/admin/password", {
  access: "administrator",
  needsNoPassword: true,
  summary: "Enter the password again: administrators' calls need it every 15 minutes",
  body: ConfirmPasswordInput,
  response: AdministratorStanding,
  fails: ["TOO_MANY_ATTEMPTS"],
});
