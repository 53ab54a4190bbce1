import { brand } from "../../brand.ts";
import { formatNumber } from "../ui/number/number.ts";
import type { Entry } from "./entry.ts";

/** Wallets, and what is made of one. */
export const machineQuestions: Record<"Wallet" | "Smart Account and Machine ID", Entry[]> = {
  Wallet: [
    {
      slug: "link-wallet",
      question: "Why should I link a wallet?",
      answer:
        "A linked wallet is what your Smart Account and your Machine ID are made from, and what makes you count as an active friend of whoever invited you. Linking is a signature: it moves nothing and costs nothing. A contract wallet, such as a Safe, cannot be linked: it cannot sign what a Machine ID needs.",
    },
    {
      slug: "change-wallet",
      question: "Can I change my wallet?",
      answer:
        "You can link a wallet once and change it once, so choose one that you mean to keep. Once your Smart Account is on its way the wallet stays, because the account belongs to it for good.",
    },
    {
      slug: "wallet-keys",
      question: "Can you move what is in my wallet?",
      answer: `No. ${brand.name} never sees its keys or its recovery phrase, and nobody of ours will ever ask for them.`,
    },
  ],
  "Smart Account and Machine ID": [
    {
      slug: "smart-account",
      question: "What is a Smart Account?",
      answer:
        "An account on the identity network that your wallet owns and that acts for your machine. It comes first; your Machine ID is created with it.",
    },
    {
      slug: "machine-id",
      question: "What is a Machine ID?",
      answer: ({ heartbeatsRequired }) =>
        `It is an identity of your machine's own on the identity network. You can create one when your wallet is linked and connected and your node has sent ${formatNumber(heartbeatsRequired)} heartbeats.`,
      general:
        "It is an identity of your machine's own on the identity network. You can create one when your wallet is linked and connected and your node has sent enough heartbeats.",
    },
    {
      slug: "machine-id-wallet",
      question: "Which wallet do I sign with?",
      answer: "With the one you have linked. A connected wallet with another address is refused.",
    },
  ],
};
