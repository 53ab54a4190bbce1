import { defineOutcome } from "../outcome/outcome.ts";

/**
 * What is said after an action, by its word; `about` is a figure or a name that the action hands on. It comes from a
 * cookie, which anybody could have set: it is shown as text, and no longer than this.
 */
const MOST = 80;

const SENTENCES = {
  "administrator-added": (about: string) => `${about} is an administrator now.`,
  "administrator-there": (about: string) => `${about} was an administrator already.`,
  "administrator-removed": (about: string) => `${about} is no administrator any more.`,
  "administrator-gone": (about: string) => `${about} was no administrator any more.`,
} satisfies Record<string, (about: string) => string>;

export type AdminWord = keyof typeof SENTENCES;

export const ADMIN_NOTE = defineOutcome("note", "administration", SENTENCES);

export const sayNote = ({ word, about }: { word: AdminWord; about: string }): string =>
  SENTENCES[word](about.slice(0, MOST));
