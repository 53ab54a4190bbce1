import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { track } from "../../analytics/events.ts";
import { ApiError } from "../../api/api-error.ts";
import { refreshReads } from "../../cache/query-client.ts";
import { showToast } from "../../ui/toast/toast.ts";
import { SIGN_WORDS, type SignPurpose } from "./sign-words.ts";
import type { SigningAnswer } from "./submit-signature.ts";
import { toSigningError, type WalletReason } from "../wallet-error.ts";
import { connectedAddress, signText } from "../wallet-requests.ts";
import { sendForm } from "../../session/send-form.ts";
import { useMemberId } from "../../session/use-member-id.ts";

export type SigningStep = "ready" | "preparing" | "signing" | "saving";

/** What went wrong, and what to do next. */
export type Problem = { title: string; text: string };

/** Gets the message, has the wallet sign it and hands the signature in; says at each step how far that is. */
export function useSigning(purpose: SignPurpose, onDone: () => void) {
  const { done, failed } = SIGN_WORDS[purpose];
  const cache = useQueryClient();
  const member = useMemberId() ?? "";
  const [state, setState] = useState<{ step: SigningStep; problem: Problem | null }>({ step: "ready", problem: null });
  // Whoever is signed out by now leaves for where they sign in, which says why.
  const send = (fields: Record<string, string>) =>
    sendForm<SigningAnswer>(`/wallet/${purpose}`, member, Object.entries(fields));
  const go = (step: SigningStep) => setState({ step, problem: null });

  async function run() {
    go("preparing");
    const { message } = await send({ intent: "request", address: connectedAddress(), origin: location.origin });
    if (!message) throw new ApiError(failed, "API_ERROR", 422);
    go("signing");
    const signed = await signText(message);
    go("saving");
    await send({ intent: "submit", message, ...signed });
  }

  async function sign() {
    try {
      await run();
    } catch (error) {
      const { toast, ...problem } = explain(error, failed);
      if (toast) showToast(toast, { tone: "error" });
      return setState({ step: "ready", problem });
    }
    if (purpose === "link") track({ event: "wallet_linked" });
    showToast(done, { tone: "success" });
    onDone();
    await refreshReads(cache, "wallet");
  }
  return { ...state, sign: () => void sign() };
}

const PROBLEMS: Partial<Record<WalletReason, Problem>> = {
  rejected: { title: "You declined in your wallet", text: "Nothing has changed. You can sign whenever you like." },
  pending: {
    title: "Your wallet is waiting for an answer",
    text: "It has a request open already. Open it from the browser's toolbar, answer that, then try again.",
  },
  unanswered: {
    title: "No answer from your wallet",
    text: "Open it from the browser's toolbar, close what is open in it, then try again.",
  },
  locked: { title: "Your wallet is locked", text: "Open it, unlock it, then try again." },
  "not-connected": { title: "No wallet is connected", text: "Close this, connect a wallet and come back." },
  "wrong-account": {
    title: "Your wallet is on another account",
    text: "Choose the connected account in it, then try again.",
  },
};

/** A failure in words: in the dialog with the next step, in the toast as the specification has it (section 8). */
function explain(error: unknown, failed: string): Problem & { toast: string | null } {
  if (error instanceof ApiError) {
    const text = error.fromServer ? error.message : failed;
    return { title: failed, text, toast: text };
  }
  const { cause, reason, toast } = toSigningError(error);
  const problem = PROBLEMS[reason];
  if (problem) return { ...problem, toast };
  // What concerns chains and networks has no toast.
  const text = (reason === "failed" && wordsOf(cause)) || failed;
  return { title: failed, text, toast: reason === "failed" ? text : toast };
}

/** The wallet's own words, without what viem adds for developers. */
function wordsOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || cause instanceof TypeError) return undefined;
  const words: unknown = "details" in cause ? cause.details : cause.message;
  return typeof words === "string" ? words : undefined;
}
