import { DELETION_GRACE_SECONDS } from "../../server/account-data/contract.ts";
import {
  PASSWORD_MIN_LENGTH,
  RECOVERY_LIFETIME_SECONDS,
  RESET_LIFETIME_SECONDS,
  SIGN_UP_LIFETIME_SECONDS,
} from "../../server/auth/contract.ts";
import { SESSION_IDLE_SECONDS, SESSION_LIFETIME_SECONDS } from "../../server/sessions/contract.ts";
import { brand } from "../../brand.ts";
import { describeDuration } from "./duration.ts";
import type { Entry } from "./entry.ts";
import { CODE_ATTEMPTS, VERIFICATION_CODE_LENGTH } from "../../server/mailed-code/contract.ts";

/** The account, and what is known of whoever it belongs to. */
export const accountQuestions = (isMeasured: boolean): Record<"Account and security" | "Privacy", Entry[]> => ({
  "Account and security": [
    {
      slug: "verification-code",
      question: "The code from my mail does not work. Why?",
      answer: `A code has ${VERIFICATION_CODE_LENGTH} digits, ${CODE_ATTEMPTS} tries and is good for ${describeDuration(SIGN_UP_LIFETIME_SECONDS)}. Asking for another mail brings a new code and ends the one before.`,
    },
    {
      slug: "reset-password",
      question: "I forgot my password. What now?",
      answer: `Ask for a link on the sign-in page. It works once, within ${describeDuration(RESET_LIFETIME_SECONDS)}, and the page it opens gives you ${describeDuration(RECOVERY_LIFETIME_SECONDS)} to choose a new password.`,
    },
    {
      slug: "good-password",
      question: "What makes a good password?",
      answer: `It has ${PASSWORD_MIN_LENGTH} characters or more and is used nowhere else. A sentence that only you would write is better than a word with odd letters in it; passwords that everybody guesses first are refused.`,
    },
    {
      slug: "signed-out",
      question: "Why was I signed out?",
      answer: `A session ends after ${describeDuration(SESSION_IDLE_SECONDS)} without use and after ${describeDuration(SESSION_LIFETIME_SECONDS)} at the latest. A new password ends all the others.`,
    },
    {
      slug: "sessions",
      question: "Where am I signed in?",
      answer:
        "Your profile lists every session with its device and network. You can end each one there, or all the others at once. A sign-in from a browser that was not used before is mailed to you.",
    },
    {
      slug: "campaign-mail",
      question: "How do I stop campaign mail?",
      answer:
        "With the link at its end, or on your profile, where you can also have it sent to another address. Mail about your account's security always goes to the address you sign in with.",
    },
    {
      slug: "delete-account",
      question: "How do I delete my account?",
      answer: `At the end of your profile. You have ${describeDuration(DELETION_GRACE_SECONDS)} to change your mind; then everything that names you is removed. The amounts in the points log stay, without your name.`,
    },
    {
      slug: "mobile",
      question: `Can I use ${brand.name} on a phone?`,
      answer: "A mobile version is coming. For now, please use a desktop computer.",
    },
  ],
  Privacy: [
    {
      slug: "what-others-see",
      question: "What can others see of me?",
      answer:
        "Whoever invited you sees your email, how many heartbeats you have sent and whether you have linked a wallet. Other members see nothing of you.",
    },
    {
      slug: "own-data",
      question: "What do you keep about me?",
      answer:
        "Your profile has a button that downloads all of it as one file: your account, points, heartbeats, machines, friends, sign-ins and mail settings.",
    },
    {
      slug: "network-address",
      question: "Do you keep my network address?",
      answer:
        "Sessions and security activity keep only the network that an address belongs to, and the kind of browser, so that you can tell your own visits from others.",
    },
    {
      slug: "measuring",
      question: "Do you measure what I do here?",
      answer: isMeasured
        ? "Only if you allow it. Then the pages you open, what you do on them and which campaign brought you here are told to Google Tag Manager. You can change your mind at the end of this page at any time."
        : "No. Nothing about your visits is told to anybody else.",
    },
  ],
});
