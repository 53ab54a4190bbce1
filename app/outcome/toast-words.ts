import type { Toast as AnyToast } from "../ui/toast/toast.ts";
import { defineOutcome, type ReceivedOutcome } from "./outcome.ts";

type Toast = Pick<AnyToast, "text" | "tone">;

const done = (text: string): Toast => ({ text, tone: "success" });
const failed = (text: string): Toast => ({ text, tone: "error" });

/** The toasts of the page after an action. */
const TOASTS = {
  "logged-out": done("You are logged out."),
  "account-kept": done("Your account will not be deleted."),
  "account-not-kept": failed("This does not work right now. Please try again in a moment."),
  "data-unavailable": failed("Your data could not be downloaded. Please try again in a moment."),
  "log-unavailable": failed("The file could not be created. Please try again in a moment."),
  "wallet-signed-out": failed("You must be logged in to link a wallet"),
  "machine-id-signed-out": failed("You must be logged in to create a Machine ID"),
  /** Followed by how long to wait, such as "10 minutes". */
  "too-many-attempts": failed("Too many attempts. Please try again in "),
};

export type ToastWord = keyof typeof TOASTS;

export const TOAST = defineOutcome("note", "toast", TOASTS);

/** Returns the toast for a word. Undefined if it names a wait that is not valid. */
export function wordToast({ word, about }: ReceivedOutcome<ToastWord>): Toast | undefined {
  const { text, tone } = TOASTS[word];
  if (word !== "too-many-attempts") return { text, tone };
  return WAIT.test(about) ? { text: `${text}${about}.`, tone } : undefined;
}

/** A wait in the words of the API's limits (`describeWait` in server/rate-limits/rate-limiter.ts). */
const WAIT = /^\d{1,4} (?:seconds?|minutes)$/;
