import { DELETION_GRACE_SECONDS } from "../../server/account-data/contract.ts";
import {
  RECOVERY_LIFETIME_SECONDS,
  RESET_LIFETIME_SECONDS,
  SIGN_UP_LIFETIME_SECONDS,
} from "../../server/auth/contract.ts";
import { PASSWORD_MIN_LENGTH } from "../../server/password-rules/contract.ts";
import { SESSION_IDLE_SECONDS, SESSION_LIFETIME_SECONDS } from "../../server/sessions/contract.ts";
import { brand } from "../../brand.ts";
import { describeDuration } from "./duration.ts";
import type { Entry } from "./entry.ts";
import { CODE_ATTEMPTS, VERIFICATION_CODE_LENGTH } from "../../server/mailed-code/contract.ts";

/** Questions about the account, and about what we know of its owner. */
export const accountQuestions = (isMeasured: boolean): Record<"Account and security" | "Privacy", Entry[]> => ({
  "Account and security": [
    {
      slug: "verification-code",
      question: "Why does my code not work?",
      words: "email confirm verify verification wrong expired otp not received",
      answer: `A code has ${VERIFICATION_CODE_LENGTH} digits and works for ${describeDuration(SIGN_UP_LIFETIME_SECONDS)}. You have ${CODE_ATTEMPTS} tries. If you ask for another email, only the code in the latest one works.`,
    },
    {
      slug: "reset-password",
      question: "How do I reset a forgotten password?",
      words: "forgot lost recover login cannot sign in",
      answer: `Select “Forgot password?” on the sign-in page, and we email you a link. It works once, within ${describeDuration(RESET_LIFETIME_SECONDS)}. After you open it you have ${describeDuration(RECOVERY_LIFETIME_SECONDS)} to choose a new password.`,
    },
    {
      slug: "change-email",
      question: "How do I change my email or password?",
      words: "address update new login",
      answer:
        "Go to Email and password on your profile. We send a code to a new email to check that it is yours, and sign you out on all other devices. If you cannot change your email there, the page says whom to write to.",
    },
    {
      slug: "good-password",
      question: "What makes a good password?",
      words: "strong weak length guess characters",
      answer: `It has ${PASSWORD_MIN_LENGTH} characters or more, and you use it nowhere else. A few unrelated words are better than one word with unusual characters. We refuse passwords that are easy to guess.`,
    },
    {
      slug: "signed-out",
      question: "Why was I signed out?",
      words: "logged logout login again expired",
      answer: `A session ends after ${describeDuration(SESSION_IDLE_SECONDS)} without use and after ${describeDuration(SESSION_LIFETIME_SECONDS)} at the latest. Choosing a new password ends all other sessions.`,
    },
    {
      slug: "sessions",
      question: "Where am I signed in?",
      words: "logged devices logins hacked stolen",
      answer:
        "Your profile lists every session with its device and network. You can end each one there, or all the others at once. We email you when somebody signs in from a browser you have not used before.",
    },
    {
      slug: "campaign-mail",
      question: "How do I stop campaign emails?",
      words: "unsubscribe email newsletter spam notifications",
      answer:
        "Use the link at the end of each one, or turn them off on your profile. There you can also have them sent to another address. Emails about the security of your account always go to the address you sign in with.",
    },
    {
      slug: "delete-account",
      question: "How do I delete my account?",
      words: "close remove cancel leave erase gdpr",
      answer: `On your profile, under Delete account. You have ${describeDuration(DELETION_GRACE_SECONDS)} to change your mind. After that we remove everything that names you. The amounts in the points log and the times of your heartbeats stay, without your name.`,
    },
    {
      slug: "mobile",
      question: `Can I use ${brand.name} on a phone?`,
      words: "app android iphone ios ipad tablet",
      answer: "A mobile version is coming. For now, please use a desktop computer.",
    },
  ],
  Privacy: [
    {
      slug: "what-others-see",
      question: "What can others see about me?",
      words: "public visible anonymous private",
      answer:
        "The member who invited you sees your email and username, when you joined, how many heartbeats you have sent and whether you have linked a wallet. Other members see nothing about you.",
    },
    {
      slug: "own-data",
      question: "What do you keep about me?",
      words: "export download data gdpr copy",
      answer:
        "Your profile has a button that downloads all of it as one file: your account, points, heartbeats, machines, friends, sign-ins and email settings.",
    },
    {
      slug: "network-address",
      question: "Do you keep my IP address?",
      words: "location tracking network log",
      answer:
        "Only in part. Sessions and security activity keep only the network it belongs to, and the kind of browser, so that you can tell your own visits from others.",
    },
    {
      slug: "measuring",
      question: "Do you measure what I do here?",
      words: "cookies analytics tracking google consent",
      answer: isMeasured
        ? "Only if you allow it. Then Google Tag Manager is told which pages you open, what you do on them and which campaign brought you here. You can change your choice at the end of this page at any time."
        : "No. We tell nobody else anything about your visits.",
    },
  ],
});
