export type SignPurpose = "link" | "change";

type Words = {
  title: string;
  /** What cannot be undone. Shown before the wallet opens. */
  warning: string;
  action: string;
  /** Toasts (product specification, section 8). */
  done: string;
  /** When the server refuses with status 200: the server's words for a change, always the same words for a link. */
  refused: (message: string | undefined) => string;
  /** When anything else fails without a message. */
  failed: string;
  /** When the dialog is closed before the wallet has signed. */
  closed: string;
};

/** Shown wherever a wallet is linked or changed, before anything is signed. */
export const WALLET_RULE = "You can link a wallet once and change it once.";

/** The words for linking a wallet and for changing it. */
export const SIGN_WORDS: Record<SignPurpose, Words> = {
  link: {
    title: "Link this wallet",
    warning: `${WALLET_RULE} Your Smart Account and Machine ID will belong to it.`,
    action: "Sign and link",
    done: "Wallet linked successfully!",
    refused: () => "Failed to link wallet",
    failed: "An error occurred while linking your wallet",
    closed: "Nothing was linked: you closed the dialog before you signed.",
  },
  change: {
    title: "Change the linked wallet",
    warning: `${WALLET_RULE} You cannot change it again after this.`,
    action: "Sign and change",
    done: "Wallet changed successfully!",
    refused: (message) => message || "Failed to change wallet",
    failed: "Failed to change wallet",
    closed: "Nothing was changed: you closed the dialog before you signed.",
  },
};
