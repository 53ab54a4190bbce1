import { UNKNOWN_DEVICE } from "../http/client.ts";
import { ABOUT_ACCOUNT, describeInstant, type EmailContent } from "../mail/email.ts";
import { brand } from "../../brand.ts";

/*
 * The emails about accounts. The paths are those of the pages in app/routes.ts. Opening a link does nothing yet, so a
 * mail scanner that follows links does not use them up.
 */

const IGNORE = "If this was not you, you can ignore this email. Nothing will change.";

export const verification = (to: string, { code, linkToken }: { code: string; linkToken: string }): EmailContent => ({
  to,
  subject: "Confirm your email",
  paragraphs: [
    `Welcome to ${brand.name}. Enter this code on the page where you signed up, or open the link. Both work for one day after you signed up.`,
    "Asked for more than one email? Only the code in the latest one works.",
  ],
  code,
  action: { label: "Confirm my email", path: `/auth/verify?code=${linkToken}` },
  note: `You received this email because somebody signed up for ${brand.name} with this address. If it was not you, do not share the code or open the link. Nothing happens without them.`,
});

/** Tells the owner of an address that somebody tried to sign up with it again. */
export const accountExists = (to: string): EmailContent => ({
  to,
  subject: "You already have an account",
  paragraphs: [
    `Somebody tried to sign up for ${brand.name} with this address, which already has an account. Nothing has changed.`,
    "If it was you, sign in with your password. If you have forgotten it, you can choose a new one from the same page.",
  ],
  action: { label: "Sign in", path: "/auth" },
  note: IGNORE,
});

/** Tells somebody who has no account here, or no longer has one, that their password at the sign-in provider works. */
export const passwordWorks = (to: string): EmailContent => ({
  to,
  subject: "Sign in with the password you had",
  paragraphs: [
    `Somebody tried to sign up for ${brand.name} with this address. There is no account with it here, but our sign-in provider still has a password for it.`,
    "If it was you, sign in with that password, and we will create your account. If you have forgotten it, you can choose a new one from the same page.",
  ],
  action: { label: "Sign in", path: "/auth" },
  note: IGNORE,
});

export const passwordReset = (to: string, { linkToken }: { linkToken: string }): EmailContent => ({
  to,
  subject: "Choose a new password",
  paragraphs: [
    "Somebody asked for a new password for your account. Open the link to choose one. It works once, within one hour of the request.",
  ],
  action: { label: "Choose a new password", path: `/auth/reset-password?token=${linkToken}` },
  note: "If this was not you, you can ignore this email. Your password stays the same.",
});

/** Tells somebody who asks for the email again that its link has been opened. */
export const resetLinkUsed = (to: string): EmailContent => ({
  to,
  subject: "Your link has already been used",
  paragraphs: [
    "Somebody asked us to send the link for a new password again. That link has already been opened, and it works only once.",
    "If you still need a new password, ask for a new link.",
  ],
  action: { label: "Ask for a new link", path: "/auth/forgot-password" },
  note: IGNORE,
});

/**
 * Tells somebody that their address has no account. If they mistyped it, they do not wait for a link that never comes.
 */
export const noAccount = (to: string): EmailContent => ({
  to,
  subject: "There is no account with this address",
  paragraphs: [
    `Somebody asked for a new password at ${brand.name}, but no account uses this address.`,
    "If it was you, try the address you signed up with, or sign up with this one.",
  ],
  action: { label: "Sign up", path: "/auth/signup" },
  note: IGNORE,
});

export const passwordChanged = (to: string, { at, keptOne }: { at: Date; keptOne?: boolean }): EmailContent => ({
  to,
  subject: "Your password was changed",
  paragraphs: [
    `The password for your account was changed on ${describeInstant(at)}. You were signed out ${keptOne ? "on all other devices" : "everywhere"}.`,
    "If it was you, there is nothing to do. If it was not, somebody may be able to read your email: change the password of your mailbox first, then choose a new password here.",
  ],
  action: { label: "Choose a new password", path: "/auth/forgot-password" },
  note: ABOUT_ACCOUNT,
});

/** Tells a member about a sign-in with a browser that they have not used before. */
export const newDevice = (to: string, { device, at }: { device: string; at: Date }): EmailContent => ({
  to,
  subject: "New sign-in to your account",
  paragraphs: [
    `Somebody signed in to your account on ${describeInstant(at)} with ${describeDevice(device)}.`,
    "If it was you, there is nothing to do. If it was not, choose a new password now. This signs out every device.",
  ],
  action: { label: "See where you are signed in", path: "/profile#sessions" },
  note: ABOUT_ACCOUNT,
});

const describeDevice = (device: string) =>
  device === UNKNOWN_DEVICE
    ? "a device or program that we do not recognise, such as a node"
    : `${device}, a device you have not used before`;

/**
 * Tells a member's former address that the address of their account was changed at the provider. Does not name the new
 * one.
 */
export const addressChanged = (to: string, { at }: { at: Date }): EmailContent => ({
  to,
  subject: "The email address of your account was changed",
  paragraphs: [
    `The address you sign in with at ${brand.name} was changed on ${describeInstant(at)}. This one no longer opens your account. You were signed out on all other devices.`,
    "If you asked for it, there is nothing to do. If you did not, reply to this email straight away, so that we can undo it.",
  ],
  note: ABOUT_ACCOUNT,
});
