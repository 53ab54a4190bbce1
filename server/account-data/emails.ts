import { ABOUT_ACCOUNT, describeInstant, type EmailContent } from "../mail/email.ts";
import { brand } from "../../brand.ts";

/** The matter of these emails: whether a member leaves or stays. */
const DELETION = "deletion";

/** The page where the member decides, after signing in. */
const KEEP = { label: "Keep my account", path: "/profile/delete" } as const;

export const deletionRequested = (to: string, { dueAt }: { dueAt: Date }): EmailContent => ({
  to,
  subject: "Your account will be deleted",
  paragraphs: [
    `You asked us to delete your account. We will delete it on ${describeInstant(dueAt)}. Until then you can sign in and keep it, and your machines continue to earn points.`,
    "You were signed out on all other devices. If you did not ask for this, keep your account and choose a new password.",
  ],
  action: KEEP,
  matter: DELETION,
  note: ABOUT_ACCOUNT,
});

export const accountKept = (to: string): EmailContent => ({
  to,
  subject: "Your account will not be deleted",
  paragraphs: [
    "You chose to keep your account. Nothing has been lost.",
    "If it was not you, choose a new password now, then ask us to delete the account again.",
  ],
  action: { label: "Choose a new password", path: "/auth/forgot-password" },
  matter: DELETION,
  note: ABOUT_ACCOUNT,
});

/**
 * Tells a member that their account is gone. It is the last email. `providerKeepsPassword`: another service keeps the
 * password, with the address.
 */
export const accountDeleted = (
  to: string,
  { providerKeepsPassword }: { providerKeepsPassword: boolean },
): EmailContent => ({
  to,
  subject: "Your account has been deleted",
  paragraphs: [
    "We have deleted your account, as you asked. Your email address, names, handles, wallet, machines, sessions and settings are gone. The amounts in the points log and the times of your heartbeats stay, without your name.",
    ...(providerKeepsPassword
      ? [
          "Our sign-in provider still has your email address and password. We will remove them there by hand within 30 days.",
        ]
      : []),
    `This is our last email to you. You can sign up for ${brand.name} again at any time, as a new member.`,
  ],
  note: `You received this email because you had an account at ${brand.name}.`,
});
