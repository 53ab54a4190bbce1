import { brand } from "../../brand.ts";
import { formatNumber } from "../ui/number/number.ts";
import type { Entry } from "./entry.ts";

/** Questions about wallets, and what is created from one. */
export const machineQuestions: Record<"Wallet" | "Smart Account and Machine ID", Entry[]> = {
  Wallet: [
    {
      slug: "link-wallet",
      question: "Why should I link a wallet?",
      words: "connect metamask crypto extension safe multisig cost fee gas",
      answer:
        "Your Smart Account and Machine ID are created from your linked wallet. A linked wallet is also one of the two things that make you an active friend of the member who invited you. To link a wallet you sign a message, which moves nothing and costs nothing. You cannot link a contract wallet such as a Safe, because it cannot sign what a Machine ID needs.",
    },
    {
      slug: "change-wallet",
      question: "Can I change my wallet?",
      words: "replace switch new unlink remove disconnect",
      answer:
        "You can link a wallet once and change it once. Choose one that you plan to keep. Once you have started to create your Smart Account, you can no longer change your wallet, because the account belongs to that wallet for good.",
    },
    {
      slug: "wallet-keys",
      question: "Can you move what is in my wallet?",
      words: "seed private secret scam phishing steal funds safe",
      answer: `No. ${brand.name} never sees your keys or your recovery phrase, and nobody from ${brand.name} will ever ask you for them.`,
    },
  ],
  "Smart Account and Machine ID": [
    {
      slug: "smart-account",
      question: "What is a Smart Account?",
      words: "contract peaq network",
      answer:
        "An account on the identity network that your wallet owns and that acts for your machine. It comes first, and your Machine ID is created with it.",
    },
    {
      slug: "machine-id",
      question: "What is a Machine ID?",
      words: "did decentralized create get requirements peaq",
      answer: ({ heartbeatsRequired }) =>
        `An identity for your machine on the identity network. You can create one once your wallet is linked and connected and your node has sent ${formatNumber(heartbeatsRequired)} heartbeats.`,
      general:
        "An identity for your machine on the identity network. You can create one once your wallet is linked and connected and your node has sent enough heartbeats.",
    },
    {
      slug: "machine-id-wallet",
      question: "Which wallet do I sign with?",
      words: "signature wrong address account refused",
      answer: "The one you have linked. You cannot sign with a wallet that has another address.",
    },
  ],
};
