import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Address } from "viem";
import { track } from "../../analytics/events.ts";
import { ApiError } from "../../api/api-error.ts";
import { refreshReads } from "../../cache/query-client.ts";
import { showToast } from "../../ui/toast/toast.ts";
import { SIGN_WORDS, type SignPurpose } from "./sign-words.ts";
import type { SigningResponse } from "./submit-signature.ts";
import { signingError, toSigningError, WalletError, wordsOf, type WalletReason } from "../wallet-error.ts";
import { connectedAddress, signText } from "../wallet-requests.ts";
import { useIsMounted } from "../use-is-mounted.ts";
import { sendForm } from "../../session/send-form.ts";
import { useMemberId } from "../../session/use-member-id.ts";

export type SigningStep = "ready" | "preparing" | "signing" | "saving";

/** What went wrong, and what to do next. */
export type Problem = { title: string; text: string };

type State = {
  step: SigningStep;
  problem: Problem | null;
  /** The account that is being linked. Null while nothing is being signed. */
  account: Address | null;
};

const READY: State = { step: "ready", problem: null, account: null };

/**
 * Gets the message, has the wallet sign it and submits the signature. Reports each step. The account that is shown,
 * signs and is submitted is the same: a member who chooses another meanwhile, or closes the dialog, has linked nothing.
 */
export function useSigning(purpose: SignPurpose, onClose: () => void) {
  const { closed, done, failed } = SIGN_WORDS[purpose];
  const cache = useQueryClient();
  const member = useMemberId() ?? "";
  const [state, setState] = useState(READY);
  const isUnderWay = useRef(false);
  const isOpen = useIsMounted();
  const go = (step: SigningStep, account: Address) => setState({ step, problem: null, account });
  // A member who has been signed out leaves for the sign-in page, which says why.
  const send = (fields: Record<string, string>) =>
    sendForm<SigningResponse>(`/wallet/${purpose}`, member, Object.entries(fields));

  function stayOpen() {
    if (!isOpen.current) throw new WalletError("closed", null);
  }

  async function askWallet() {
    const address = connectedAddress();
    go("preparing", address);
    const { message } = await send({ intent: "request", address, origin: location.origin });
    if (!message) throw new ApiError(failed, "API_ERROR", 422);
    stayOpen();
    go("signing", address);
    const signature = await signText(address, message);
    stayOpen();
    if (connectedAddress() !== address) throw signingError("account-changed");
    return { message, address, signature };
  }

  async function sign() {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    let isSigned = false;
    try {
      const signed = await askWallet();
      isSigned = true;
      go("saving", signed.address);
      await send({ intent: "submit", ...signed });
    } catch (error) {
      isUnderWay.current = false;
      // Closing the dialog has ended this attempt, and said so. How its wallet answers no longer matters to anyone.
      if (isOpen.current || isSigned) report(error);
      // Another tab may have been faster. The dialog then says that.
      return refreshReads(cache, "wallet");
    }
    if (purpose === "link") track({ event: "wallet_linked" });
    showToast(done, { tone: "success" });
    // If this dialog was closed meanwhile, `onClose` would close whichever one has been opened since.
    if (isOpen.current) onClose();
    return refreshReads(cache, "wallet");
  }

  function report(error: unknown) {
    const { toast, ...problem } = explain(error, failed);
    if (toast) showToast(toast, { tone: "error" });
    setState({ ...READY, problem });
  }

  /** Closes the dialog. What the wallet signs after that is not used. */
  function close() {
    if (state.step === "preparing" || state.step === "signing") showToast(closed);
    onClose();
  }
  return { ...state, sign: () => void sign(), close };
}

const NOT_CONNECTED: Problem = { title: "No wallet is connected", text: "Close this, connect a wallet and come back." };

const PROBLEMS: Partial<Record<WalletReason, Problem>> = {
  rejected: { title: "You declined in your wallet", text: "Nothing has changed. You can sign whenever you like." },
  pending: {
    title: "Your wallet is waiting for an answer",
    text: "A request is already open. Open your wallet from the browser's toolbar, respond to it, then try again.",
  },
  unanswered: {
    title: "No answer from your wallet",
    text: "Open it from the browser's toolbar and close what is open in it, or reload this page. Then try again.",
  },
  "not-connected": NOT_CONNECTED,
  unauthorized: NOT_CONNECTED,
  "wrong-account": {
    title: "Your wallet is on another account",
    text: "Choose the connected account in it, then try again.",
  },
  "account-changed": {
    title: "Your wallet is on another account now",
    text: "Nothing has changed. Check the address above, then sign again.",
  },
  "no-signature": {
    title: "Your wallet sent no signature",
    text: "Nothing has changed. Open it to see whether it works, then try again.",
  },
};

/** Explains a failure: in the dialog with the next step, and in the toast as the specification words it (section 8). */
function explain(error: unknown, failed: string): Problem & { toast: string | null } {
  if (error instanceof ApiError) {
    const said = error.fromServer ? error.message : failed;
    return { title: failed, text: said === failed ? AGAIN : said, toast: said };
  }
  const failure = toSigningError(error);
  const { message, reason, toast } = failure;
  const problem = PROBLEMS[reason];
  if (problem) return { ...problem, toast };
  const said = reason === "failed" && wordsOf(failure);
  // Failures that concern chains and networks have no toast.
  return { title: failed, text: said || message, toast: reason === "failed" ? said || failed : toast };
}

/** Shown if nothing more is known than that it failed. */
const AGAIN = "Please try again in a moment.";
