import type { PageDescription } from "../page/page-description.ts";

export const termsPage = {
  path: "/terms/:version?",
  title: "Terms of Service",
  audience: "anyone",
} satisfies PageDescription;

export const privacyPage = {
  path: "/privacy/:version?",
  title: "Privacy Policy",
  audience: "anyone",
} satisfies PageDescription;
