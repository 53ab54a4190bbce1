import type { WalletReason } from "../wallet-error.ts";

/** The step that a connection has reached, or what went wrong with it. */
export type ConnectStep = "choosing" | "asking" | "locked" | WalletReason;

type Words = {
  tone: "plain" | "busy" | "bad";
  title: (name: string) => string;
  text: (name: string) => string;
};

const fillIn = (text: string) => (name: string) => text.replaceAll("{name}", name);
const words = (tone: Words["tone"], title: string, text: string): Words => ({
  tone,
  title: fillIn(title),
  text: fillIn(text),
});

/** An extension that was updated since the page loaded can no longer reach the page. Only a reload helps then. */
const FAILED = words(
  "bad",
  "{name} could not be connected",
  "Open {name} to see whether it works, or reload this page. Then try again.",
);

/** The words for each step, with what to do next. */
const CONNECT_WORDS: Partial<Record<ConnectStep, Words>> = {
  asking: words(
    "busy",
    "Continue in {name}",
    "It asks which account this page may see. If it does not show, click its icon in the browser's toolbar.",
  ),
  locked: words("busy", "{name} is locked", "Open it from the browser's toolbar, unlock it and choose an account."),
  pending: words(
    "bad",
    "{name} is waiting for an answer",
    "A request is already open. Open your wallet from the browser's toolbar, respond to it, then try again.",
  ),
  unauthorized: words(
    "bad",
    "{name} did not let this page in",
    "Open it and unlock it. If it blocks this page, allow it there, then try again.",
  ),
  rejected: words("bad", "You declined in {name}", "Nothing has changed. You can ask again."),
  unanswered: words(
    "bad",
    "No answer from {name}",
    "Its window may be behind this one. Open it from the browser's toolbar, or reload this page. Then ask again.",
  ),
  "no-account": words("bad", "No account was selected", "Choose at least one account in {name}, then try again."),
  "no-wallet": words("bad", "{name} is gone", "Turn the extension on again and reload this page."),
  failed: FAILED,
};

export const wordsOf = (step: ConnectStep): Words => CONNECT_WORDS[step] ?? FAILED;
