import type { LegalText } from "../legal-text.ts";

export const TERMS_2: LegalText = {
  title: "Terms of Service",
  version: 2,
  effectiveFrom: "2026-11-02",
  changes:
    "New sections on invitations, Machine IDs, the test network and campaign mail; clearer words on how long a wallet stays linked and on what happens to points when you leave.",
  sections: [
    {
      id: "about",
      title: "What these terms are about",
      text: [
        "These terms are the agreement between you and the operator of Nodebeat, a network of nodes that its members run. They say what you can expect of the network, and what it expects of you.",
        "How we treat your data is not part of them: the Privacy Policy says that.",
      ],
    },
    {
      id: "account",
      title: "Your account",
      text: [
        "You need an email address of your own, and you must be at least 18 years old. One person has one account.",
        "Keep your password to yourself. What is done with your account counts as done by you, until you tell us that somebody else has got into it. Your profile shows where you are signed in, and lets you sign out there.",
      ],
    },
    {
      id: "node",
      title: "Your node",
      text: [
        "Your node runs on your machine and your connection, and you may stop it at any time. Run it only where you are allowed to, and only in ways that your provider permits.",
        "It reports heartbeats, and gathers public content for the network. It uses some of your bandwidth, power and storage, which we do not pay for.",
      ],
    },
    {
      id: "points",
      title: "Points are not money",
      text: [
        "Points say how much you have contributed. They are not money, not a deposit, not a security and not a promise of any of these. They cannot be bought, sold, passed on or paid out, and nobody may tell you that one day they can.",
        "What a contribution is worth may change for the future, and never for the past. Points that you have earned by the rules stay yours while you are a member.",
        "No entry of the points log is ever changed or removed. Points that were posted by mistake, or earned against the rules, are taken back by another entry that you can see.",
      ],
    },
    {
      id: "invitations",
      title: "Inviting friends",
      text: [
        "Invite people you know, in your own words, and do not send unasked mail in bulk. Inviting yourself under another address earns nothing: invitations that look like it are held until a person has looked at them.",
      ],
    },
    {
      id: "wallet",
      title: "Your wallet is linked for good",
      text: [
        "Linking a wallet is voluntary. You can link one once and change it once, and both are final:",
        [
          "A linked wallet cannot be unlinked, not even by us, and cannot be linked to another account.",
          "After the one change there is no second one.",
          "We never have your keys, and cannot bring back what is lost with them.",
        ],
        "You prove that a wallet is yours by signing a message, which moves nothing and costs nothing.",
      ],
    },
    {
      id: "machine-id",
      title: "Smart Account and Machine ID",
      text: [
        "With a linked wallet and enough heartbeats you can create a Smart Account and a Machine ID on a public identity network. What is written there is public and permanent: neither you nor we can change or remove it. The network fee of creating them is ours.",
      ],
    },
    {
      id: "test-network",
      title: "The test network",
      text: [
        "Members who take part in the test network see TESTNET beside the logo. What they try there may be reset without notice, and problems they find are welcome. They have to accept these terms before they go on.",
      ],
    },
    {
      id: "fair-use",
      title: "Fair use",
      text: [
        "Please do not:",
        [
          "make up heartbeats, content or invitations, or let a program make up people,",
          "look for ways into other members' accounts or data,",
          "overload the network, or use it for anything that the law forbids.",
        ],
        "If you find a weakness, tell us before you tell others, and we will thank you. Where we see misuse we may hold back points while we look into it, and close the account if it is confirmed. We tell you why, and you can answer.",
      ],
    },
    {
      id: "campaign-mail",
      title: "Campaign mail",
      text: [
        "Members get mail about campaigns and what they are worth. Every such mail has a link that turns them off, and so does your profile. Mail about your account itself, such as a code or a notice of a new sign-in, cannot be turned off.",
      ],
    },
    {
      id: "liability",
      title: "What we answer for",
      text: [
        "The network is under development and comes as it is: it may be interrupted, changed or ended. If it ends for good we tell you at least 30 days before.",
        "We answer for harm that we cause on purpose or by gross negligence, and wherever the law does not let us exclude it. The rights that the law of your country gives you as a consumer stay untouched.",
      ],
    },
    {
      id: "ending",
      title: "Leaving",
      text: [
        "You can leave at any time by writing to us. Your points end with your membership, and your node is no longer counted. What is on the public identity network stays there.",
      ],
    },
    {
      id: "changes",
      title: "Changes to these terms",
      text: [
        "When these terms change you are asked to accept the new ones, which say in one paragraph what is different. If you do not want to accept them, log out and write to us. All versions stay readable on this page.",
      ],
    },
    { id: "contact", title: "Contact", text: ["Write to legal@nodebeat.example. A person answers."] },
  ],
};
