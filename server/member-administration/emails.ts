import { brand } from "../../brand.ts";
import { ABOUT_ACCOUNT, describeInstant, type EmailContent } from "../mail/email.ts";

/** Tells the former address about the change. Does not name the new address, which may belong to somebody else. */
export const addressGone = (to: string, { at }: { at: Date }): EmailContent => ({
  to,
  subject: "The email address of your account was changed",
  paragraphs: [
    `On ${describeInstant(at)} an administrator of ${brand.name} changed the address you sign in with. This one no longer opens your account, and you were signed out everywhere.`,
    "If you asked for it, there is nothing to do. If you did not, reply to this email straight away, so that we can undo it.",
  ],
  note: ABOUT_ACCOUNT,
});

/** Tells the new address that the member signs in with it from now on. */
export const addressNew = (to: string, { at }: { at: Date }): EmailContent => ({
  to,
  subject: "You now sign in with this address",
  paragraphs: [
    `On ${describeInstant(at)} an administrator of ${brand.name} made this the email address of your account. Your password is the same. You were signed out everywhere.`,
    "If you no longer know your password, or somebody else may know it, choose a new one from the sign-in page.",
  ],
  action: { label: "Sign in", path: "/auth" },
  note: `If you have no account at ${brand.name}, somebody has mistyped an address. You can ignore this email.`,
});
