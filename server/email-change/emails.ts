import { brand } from "../../brand.ts";
import { ABOUT_ACCOUNT, describeInstant, type EmailContent } from "../mail/email.ts";

/** Asks the owner of an address to confirm it. */
export const confirmAddress = (to: string, { code }: { code: string }): EmailContent => ({
  to,
  subject: "Confirm your new email",
  paragraphs: [
    `Enter this code to sign in to ${brand.name} with this address from now on. It works for one day.`,
    "Asked for more than one email? Only the code in the latest one works.",
  ],
  code,
  note: `You received this email because a member of ${brand.name} wants to sign in with this address. If it was not you, do not share the code. Nothing happens without it.`,
});

/** Tells the owner of an address that a member wants to sign in with it, and that it already has an account. */
export const addressInUse = (to: string): EmailContent => ({
  to,
  subject: "You already have an account",
  paragraphs: [
    `Somebody tried to use this address for another account at ${brand.name}. It already has one, so nothing has changed.`,
    "If it was you, sign in with this address, or use a different one for your other account.",
  ],
  action: { label: "Sign in", path: "/auth" },
  note: "If this was not you, you can ignore this email. Nothing will change.",
});

/** Tells a member's former address that it was changed. Does not name the new one. */
export const addressChanged = (to: string, { at }: { at: Date }): EmailContent => ({
  to,
  subject: "You now sign in with another address",
  paragraphs: [
    `On ${describeInstant(at)} you changed the address you sign in with at ${brand.name}. This one no longer opens your account. You were signed out on all other devices.`,
    "If it was you, there is nothing to do. If it was not, reply to this email straight away, so that we can undo it.",
  ],
  note: ABOUT_ACCOUNT,
});
