import type { PageDescription } from "../page/page-description.ts";

export const faqsPage = {
  path: "/faqs",
  title: "Help & FAQs",
  audience: "anyone",
  navigation: { icon: "help", words: "questions answers support" },
} satisfies PageDescription;
