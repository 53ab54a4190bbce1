import { defineOutcome } from "../outcome/outcome.ts";

/** Says why the sign-in page is shown, where that is not obvious. */
export const SIGN_IN_WORDS = {
  expired: "Your session has ended. Please sign in again.",
  onboarding: "Your account could not be set up. Please sign in again to retry.",
  "signed-out": "You signed out in another tab. Please sign in again.",
  password: "Your password has been changed. Sign in with the new one.",
};

export const SIGN_IN_NOTE = defineOutcome("note", "sign-in", SIGN_IN_WORDS);

export type SignInWord = keyof typeof SIGN_IN_WORDS;
