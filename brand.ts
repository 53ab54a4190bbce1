/**
 * The product's name, links and texts. Everything that members see of the brand is here, in app/ui/styles/tokens.css,
 * in the style of emails and pictures (server/mail/style.ts, server/share/colors.ts), in public/, in the legal
 * documents (server/legal/documents, unless others were published) and in node/README.md. Texts for operators call the
 * product Nodebeat, as do cookies, headers, settings and the node's command.
 */
export const brand = {
  name: "Nodebeat",
  description: "Points, referrals and rewards for the members of a community-node network.",
  copyright: "© 2026 Nodebeat",
  /** The label beside the logo. Members of the test network see the second. */
  stage: { open: "BETA", whitelisted: "TESTNET" },
  links: {
    Discord: "https://nodebeat.example/discord",
    Telegram: "https://nodebeat.example/telegram",
    X: "https://nodebeat.example/x",
  },
  legal: { "Terms of Service": "/terms", "Privacy Policy": "/privacy" },
  /** Shown beside the sign-in form. */
  scene: {
    title: "Every heartbeat your node sends is worth something.",
    text: "Share a little bandwidth, invite the people you trust, and give your machine an identity of its own.",
  },
  /** The account of a demo, which server/boot/seed creates. */
  demo: { email: "demo@nodebeat.test" },
  /** The colours of the browser's own surfaces, in hexadecimal: the paper colours of app/ui/styles/tokens.css. */
  themeColor: { light: "#fbfaf7", dark: "#0f1014" },
} as const;
