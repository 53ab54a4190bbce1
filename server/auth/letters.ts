import { ABOUT_ACCOUNT, describeInstant, type Letter } from "../mail/letter.ts";
import { brand } from "../../brand.ts";

/*
 * The mails of the accounts. The paths are those of the pages in app/routes.ts; nothing is done by opening them, so
 * that a mail scanner that follows links spends none.
 */

const IGNORE = "If this was not you, you can ignore this mail: nothing happens without it.";

export const verification = (to: string, { code, linkToken }: { code: string; linkToken: string }): Letter => ({
  to,
  subject: "Confirm your email",
  paragraphs: [
    `Welcome to ${brand.name}. Type this code where you signed up, or use the button. Both are good for one day after you signed up.`,
    "Did you ask for more than one mail? Then the code of the latest one counts.",
  ],
  code,
  action: { label: "Confirm my email", path: `/auth/verify?code=${linkToken}` },
  note: `You get this mail because somebody signed up at ${brand.name} with this address. If it was not you, do not pass on the code, and do not use the button: nothing happens without them.`,
});

/** For the owner of an address that somebody signs up with again. */
export const accountExists = (to: string): Letter => ({
  to,
  subject: "You already have an account",
  paragraphs: [
    `Somebody signed up at ${brand.name} with this address, which has an account already. Nothing has changed.`,
    "If it was you, sign in with the password that you have. If you forgot it, you can choose a new one on the same page.",
  ],
  action: { label: "Sign in", path: "/auth" },
  note: IGNORE,
});

export const passwordReset = (to: string, { linkToken }: { linkToken: string }): Letter => ({
  to,
  subject: "Choose a new password",
  paragraphs: [
    "Somebody asked for a new password for your account. The button opens a page where you can choose it. It works once, within one hour after it was asked for.",
  ],
  action: { label: "Choose a new password", path: `/auth/reset-password?token=${linkToken}` },
  note: "If this was not you, you can ignore this mail: your password stays as it is.",
});

/** For somebody who asks for the mail again after its link was opened. */
export const resetLinkUsed = (to: string): Letter => ({
  to,
  subject: "Your link was already used",
  paragraphs: [
    "Somebody asked again for the link to choose a new password, but that link was opened before and works only once.",
    "If you still need a new password, ask for a new link.",
  ],
  action: { label: "Ask for a new link", path: "/auth/forgot-password" },
  note: IGNORE,
});

/** For an address that nobody has an account with, so that who mistook it does not wait for a link in vain. */
export const noAccount = (to: string): Letter => ({
  to,
  subject: "There is no account with this address",
  paragraphs: [
    `Somebody asked for a new password at ${brand.name}, but there is no account with this address.`,
    "If it was you, try the address that you signed up with, or sign up with this one.",
  ],
  action: { label: "Sign up", path: "/auth/signup" },
  note: IGNORE,
});

export const passwordChanged = (to: string, { at, keptOne }: { at: Date; keptOne?: boolean }): Letter => ({
  to,
  subject: "Your password was changed",
  paragraphs: [
    `The password of your account was changed on ${describeInstant(at)}. You were signed out ${keptOne ? "on all other devices" : "everywhere"}.`,
    "If it was you, there is nothing to do. If not, choose a new password now: whoever changed it can read your mail, so change the password of your mailbox first.",
  ],
  action: { label: "Choose a new password", path: "/auth/forgot-password" },
  note: ABOUT_ACCOUNT,
});

/** For a sign-in with a browser that the member has not used before. */
export const newDevice = (to: string, { device, at }: { device: string; at: Date }): Letter => ({
  to,
  subject: "A new device signed in",
  paragraphs: [
    `Somebody signed in to your account with ${device} on ${describeInstant(at)}, for the first time on that device.`,
    "If it was you, there is nothing to do. If not, choose a new password now: that signs out everyone.",
  ],
  action: { label: "See where you are signed in", path: "/profile#sessions" },
  note: ABOUT_ACCOUNT,
});
