import { defineOutcome } from "../outcome/outcome.ts";
import { readPage } from "../ui/table/pagination.ts";

/** What of the profile is shown: a page of the security activity. */
export type ProfileView = { activityPage: number };

export const PROFILE = "/profile";
/** Where the address that the member signs in with is changed. */
export const CHANGE_EMAIL = "/profile/email";

type Outcome = { page?: string; section: string; text: string };

/** What was done, and what is said about it in which section: of the profile, where no other page is named. */
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

export const ACTIVITY_PAGE_SIZE = 10;

/** What an address asks for; what it says wrongly is as usual. */
export const readProfileView = (params: URLSearchParams): ProfileView => ({
  activityPage: readPage(params.get("activity")),
});

export const activityQuery = ({ activityPage }: ProfileView) => ({ page: activityPage, limit: ACTIVITY_PAGE_SIZE });

/** The address of a page of the security activity. */
export const activityHref = (page: number): string =>
  `${PROFILE}${page === 1 ? "" : `?activity=${page}`}#security-activity`;

/** Where the page shows what was done. */
export function sectionHref(done: Done): string {
  const { page = PROFILE, section }: Outcome = DONE[done];
  return `${page}#${section}`;
}

/** What a section says about what was done; null when it was none of its business. */
export const messageFor = (section: Section, done: Done | null): string | null =>
  done && DONE[done].section === section ? DONE[done].text : null;

/** Where what was typed is kept when the session is over (session/leave.ts). */
export const DRAFT = "/profile/draft";
/** The same for the page where the email is changed. */
export const EMAIL_DRAFT = `${DRAFT}?page=email`;
/** Where an account is deleted, or kept after all (server/account-data/letters.ts leads here). */
export const DELETE_ACCOUNT = "/profile/delete";
/** Days in which it can be kept: DELETION_GRACE_SECONDS (server/account-data/contract.ts), without zod in the browser. */
export const GRACE_DAYS = 14;
