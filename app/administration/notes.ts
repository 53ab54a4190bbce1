import { defineOutcome } from "../outcome/outcome.ts";
import { WORK_SENTENCES } from "./work-notes.ts";

/**
 * How many characters of `about` a note shows: room for the longest address and a number. `about` is what the action
 * passes to its sentence. It comes from a cookie, which anybody could have set, so it is shown as plain text and cut to
 * this length.
 */
const MAX_ABOUT_LENGTH = 300;

const SENTENCES = {
  "member-blocked": (about: string) => `The member is blocked. ${formatEndedSessions(about)}`,
  "member-blocked-already": () => "The member was already blocked.",
  "member-unblocked": () => "The member can sign in again.",
  "member-unblocked-already": () => "The member was already unblocked.",
  "member-whitelisted": () => "The member is on the whitelist.",
  "member-unlisted": () => "The member is no longer on the whitelist.",
  "sessions-ended": formatEndedSessions,
  "address-changed": () => "The member signs in with the new address from now on. We email both addresses.",
  "address-same": () => "The member already has this address.",
  "administrator-added": (about: string) => `${about} is now an administrator.`,
  "administrator-there": (about: string) => `${about} was already an administrator.`,
  "administrator-removed": (about: string) => `${about} is no longer an administrator.`,
  "administrator-gone": (about: string) => `${about} was not an administrator.`,
  ...WORK_SENTENCES,
  "incident-opened": () => "Published on the status page, with a notice at the top of members' pages.",
  "incident-updated": () => "The update is published.",
  "incident-resolved": () => "The incident is resolved.",
} satisfies Record<string, (about: string) => string>;

function formatEndedSessions(about: string): string {
  if (about === "0") return "There was no session to end.";
  return `Signed out on ${about === "1" ? "1 device" : `${about} devices`}.`;
}

export type AdminWord = keyof typeof SENTENCES;

export const ADMIN_NOTE = defineOutcome("note", "administration", SENTENCES);

export const formatNote = ({ word, about }: { word: AdminWord; about: string }): string =>
  SENTENCES[word](about.slice(0, MAX_ABOUT_LENGTH));
