import type { LegalText } from "../legal-text.ts";

export const PRIVACY_1: LegalText = {
  title: "Privacy Policy",
  version: 1,
  effectiveFrom: "2026-07-01",
  changes: null,
  sections: [
    {
      id: "short",
      title: "In short",
      text: [
        "We keep what the network needs to count your points and to keep your account safe, and nothing else. We do not sell data, and show no advertising.",
      ],
    },
    {
      id: "what",
      title: "What we keep",
      text: [
        [
          "Your email address, and a one-way hash of your password.",
          "What you tell us of yourself: your name, your handles, your website. All of it is optional.",
          "Your points, heartbeats, rewards and invitations, with their times.",
          "The address of a wallet that you link.",
          "Where you are signed in: the kind of device and the network, without the last part of its address.",
        ],
      ],
    },
    {
      id: "cookies",
      title: "Cookies",
      text: [
        "We set cookies that the product needs: for your session, and for how you like its pages to look. None follows you to other sites.",
      ],
    },
    {
      id: "rights",
      title: "Your rights",
      text: [
        "You can ask what we keep of you, have it corrected or deleted, and complain to the data protection authority of your country.",
      ],
    },
    {
      id: "changes",
      title: "Changes to this policy",
      text: ["When this policy changes we show it to you. All versions stay readable on this page."],
    },
    { id: "contact", title: "Contact", text: ["Write to privacy@nodebeat.example."] },
  ],
};
