import type { LegalText } from "../legal-text.ts";

export const PRIVACY_2: LegalText = {
  title: "Privacy Policy",
  version: 2,
  effectiveFrom: "2026-11-02",
  changes:
    "Says how long each kind of data is kept, which cookies there are, who else may see data, and what stays on a public network; new sections on campaign mail and deletion.",
  sections: [
    {
      id: "short",
      title: "In short",
      text: [
        "We keep what the network needs to count your points and to keep your account safe. We do not sell data, show no advertising and follow nobody to other sites.",
      ],
    },
    {
      id: "account-data",
      title: "Your account",
      text: [
        "For as long as you are a member we keep:",
        [
          "your email address, and a one-way hash of your password from which nobody can read it;",
          "what you choose to tell us: your name, your handles on Discord, Telegram and X, your website;",
          "your personal code, and who invited you;",
          "which versions of the Terms of Service and of this policy you accepted, and when.",
        ],
      ],
    },
    {
      id: "activity",
      title: "Points, heartbeats and content",
      text: [
        "The points log records every point with its reason and time, and is never rewritten. Each heartbeat is kept with its time and the machine that sent it. Of the content that your node gathered we keep what it was and what it earned you.",
        "The member who invited you sees your email address, your heartbeats and whether you have linked a wallet, because their reward depends on it.",
      ],
    },
    {
      id: "security",
      title: "Sign-ins and security",
      text: [
        "To show you where you are signed in we keep the kind of device, the times and the network, without the last part of its address. A session ends after 14 days without use and after 30 days at the latest.",
        "Sign-ins, refused sign-ins, and changes to your account are kept for a year. We recognise your browser again by a random number, which is forgotten after a year without use.",
        "To limit attempts at guessing passwords we count requests by hashes of addresses, which cannot be read back. The server's log holds no passwords, codes or email addresses.",
      ],
    },
    {
      id: "wallet",
      title: "Wallet and Machine ID",
      text: [
        "The address of a wallet that you link stays with your account for good, together with the one you may change it to. It is public by nature: everybody can see on its network what it does.",
        "A Smart Account and a Machine ID are written to a public network. We cannot change or delete anything there. Do not create them if you do not want that.",
      ],
    },
    {
      id: "campaign-mail",
      title: "Mail",
      text: [
        "We mail codes, links and notices about your account. Mail about campaigns goes to the same address, or to another one that you have confirmed, until you turn it off: by the link in each mail, or in your profile. We do not measure whether you open a mail.",
      ],
    },
    {
      id: "cookies",
      title: "Cookies and local storage",
      text: [
        "All of them are set by us and are needed for what you asked for:",
        [
          "your session, for up to 30 days, which no script can read;",
          "the random number of your browser, for a year;",
          "the theme for a year, the sidebar for 7 days, and until you close the browser that you went on on a small screen, or closed the note about this policy;",
          "that you have accepted the terms and this policy, for a day at a time;",
          "what is under way: a sign-up, a new password, a form that was interrupted, for a day at most.",
        ],
        "Local storage holds the theme, the id of your account, whether you take part in the test network, and that you have accepted these documents. It is emptied of all that is yours when you log out.",
      ],
    },
    {
      id: "others",
      title: "Who else may see data",
      text: [
        "Those who run our servers, database and mail, on our instructions only. Where a form uses Cloudflare Turnstile to tell people from programs it says so, and Cloudflare then sees your address and browser. Where passwords are kept by Supabase, it sees your email address and your sign-ins. Authorities get what the law makes us give.",
      ],
    },
    {
      id: "deletion",
      title: "Deletion",
      text: [
        "Write to us from the address of your account to have it deleted. Within 30 days we remove your address, your name and handles, your sessions and your settings. Entries of the points log stay, because no entry is ever rewritten; in the log of the member who invited you, one may still name your address.",
        "What is on a public network stays there.",
      ],
    },
    {
      id: "rights",
      title: "Your rights",
      text: [
        "You can ask what we keep of you and get a copy, have it corrected, restricted or deleted, and object to its use. You can complain to the data protection authority of your country. We answer within a month.",
      ],
    },
    {
      id: "changes",
      title: "Changes to this policy",
      text: [
        "When this policy changes we show it to you and ask you to accept it, with a paragraph that says what is different. All versions stay readable on this page.",
      ],
    },
    { id: "contact", title: "Contact", text: ["Write to privacy@nodebeat.example. A person answers."] },
  ],
};
