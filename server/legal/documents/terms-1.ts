import type { LegalText } from "../legal-text.ts";

export const TERMS_1: LegalText = {
  title: "Terms of Service",
  version: 1,
  effectiveFrom: "2026-07-01",
  changes: null,
  sections: [
    {
      id: "about",
      title: "What these terms are about",
      text: [
        "These terms are the agreement between you and the operator of Nodebeat, a network of nodes that its members run. They say what you can expect of the network, and what it expects of you.",
      ],
    },
    {
      id: "account",
      title: "Your account",
      text: [
        "You need an email address of your own, and you must be at least 18 years old. One person has one account.",
        "Keep your password to yourself. What is done with your account counts as done by you, until you tell us that somebody else has got into it.",
      ],
    },
    {
      id: "node",
      title: "Your node",
      text: [
        "Your node runs on your machine and your connection, and you may stop it at any time. Run it only where you are allowed to, and only in ways that your provider permits.",
      ],
    },
    {
      id: "points",
      title: "Points are not money",
      text: [
        "Points say how much you have contributed. They are not money, not a deposit, not a security and not a promise of any of these. They cannot be bought, sold, passed on or paid out.",
        "What a contribution is worth may change for the future. Points that you have earned by the rules stay yours while you are a member. Points that were posted by mistake, or earned against the rules, are taken back by an entry that you can see in your points log.",
      ],
    },
    {
      id: "wallet",
      title: "Your wallet",
      text: [
        "Linking a wallet is voluntary. You can link one once and change it once. We never have your keys, and cannot bring back what is lost with them.",
      ],
    },
    {
      id: "fair-use",
      title: "Fair use",
      text: [
        "Do not make up heartbeats, invite yourself, run accounts for people who do not exist, or disturb the network or its other members. We may hold back points while we look into it, and close accounts that do these things.",
      ],
    },
    {
      id: "ending",
      title: "Leaving",
      text: ["You can leave at any time. Your points end with your membership."],
    },
    {
      id: "liability",
      title: "What we answer for",
      text: [
        "The network is under development and comes as it is: it may be interrupted, changed or ended. We answer for harm that we cause on purpose or by gross negligence, and wherever the law does not let us exclude it.",
      ],
    },
    {
      id: "changes",
      title: "Changes to these terms",
      text: ["When these terms change you are asked to accept the new ones. All versions stay readable on this page."],
    },
    { id: "contact", title: "Contact", text: ["Write to legal@nodebeat.example. A person answers."] },
  ],
};
