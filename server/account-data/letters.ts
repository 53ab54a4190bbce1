import { ABOUT_ACCOUNT, describeInstant, type Letter } from "../mail/letter.ts";
import { brand } from "../../brand.ts";

/** Where the member decides, once they have signed in. */
const KEEP = { label: "Keep my account", path: "/profile/delete" } as const;

export const deletionRequested = (to: string, { dueAt }: { dueAt: Date }): Letter => ({
  to,
  subject: "Your account will be deleted",
  paragraphs: [
    `You asked us to delete your account. It goes on ${describeInstant(dueAt)}. Until then you can sign in and keep it, and your machines go on earning.`,
    "You were signed out on all other devices. If it was not you who asked, keep the account and choose a new password.",
  ],
  action: KEEP,
  note: ABOUT_ACCOUNT,
});

export const accountKept = (to: string): Letter => ({
  to,
  subject: "Your account stays",
  paragraphs: [
    "Your account was to be deleted, and now stays. Nothing of it is lost.",
    "If it was not you who kept it, choose a new password now, and then ask for the deletion again.",
  ],
  action: { label: "Choose a new password", path: "/auth/forgot-password" },
  note: ABOUT_ACCOUNT,
});

/** The last mail. `providerKeepsPassword`: somebody else keeps the password, with the address. */
export const accountDeleted = (to: string, { providerKeepsPassword }: { providerKeepsPassword: boolean }): Letter => ({
  to,
  subject: "Your account is deleted",
  paragraphs: [
    "Your account is deleted, as you asked: your address, names, handles, wallet, machines, sessions and settings are gone. The amounts in the points log stay, without a name.",
    ...(providerKeepsPassword
      ? ["Our provider for sign-ins still has your address and password. We remove them there by hand within 30 days."]
      : []),
    `This was the last mail. You can sign up at ${brand.name} again at any time, as a new member.`,
  ],
  note: `You get this mail because you had an account at ${brand.name}.`,
});
