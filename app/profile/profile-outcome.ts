import { defineOutcome } from "../outcome/outcome.ts";
import { CHANGE_EMAIL, PROFILE } from "./profile-view.ts";

type Outcome = { page?: string; section: string; text: string };

/**
 * What was done: the message, and the section that shows it. The section is on the profile unless another page is
 * named.
 */
const DONE = {
  details: { section: "details", text: "Your details have been saved." },
  "device-revoked": { section: "devices", text: "The key of that machine is revoked." },
  "silence-on": { section: "devices", text: "You will get an email when your node has been silent for that long." },
  "silence-off": { section: "devices", text: "You will get no emails about your node." },
  session: { section: "sessions", text: "That device has been signed out." },
  sessions: { section: "sessions", text: "You have been signed out everywhere else." },
  password: {
    section: "password",
    text: "Your password has been changed. You have been signed out on all other devices.",
  },
  "email-code": { page: CHANGE_EMAIL, section: "email", text: "An email with a code is on its way." },
  email: { section: "password", text: "You sign in with your new email from now on." },
  "campaign-code": { section: "campaign-mail", text: "An email with a code is on its way." },
  "campaign-address": { section: "campaign-mail", text: "Your address for campaign emails is confirmed." },
  "campaign-on": { section: "campaign-mail", text: "Campaign emails are on." },
  "campaign-off": { section: "campaign-mail", text: "Campaign emails are off." },
} as const satisfies Record<string, Outcome>;

export const PROFILE_NOTE = defineOutcome("note", "profile", DONE);

export type Done = keyof typeof DONE;
export type Section = (typeof DONE)[Done]["section"] | "security-activity" | "your-data" | "delete-account";

/** Returns the link to the section that shows what was done. */
export function sectionHref(done: Done): string {
  const { page = PROFILE, section }: Outcome = DONE[done];
  return `${page}#${section}`;
}

/** Returns the section's message about what was done, or null if another section shows it. */
export const messageFor = (section: Section, done: Done | null): string | null =>
  done && DONE[done].section === section ? DONE[done].text : null;
