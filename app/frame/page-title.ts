import { brand } from "../../brand.ts";

/** Titles that are not their segment (product specification, section 2). */
const HEADER_TITLES: Record<string, string> = {
  faqs: "Help & FAQs",
  referrals: "Your Referrals",
  agentinsights: "Agent Insights",
  terms: "Terms of Service",
  privacy: "Privacy Policy",
  delete: "Delete account",
};

/** Titles of documents that the rule for the header would name badly. The account pages bring their own. */
const DOCUMENT_TITLES: Record<string, string> = {
  logout: "Log out",
};

/** The header's title: the last segment of the path, dashes as spaces, each word with a capital. */
export function pageTitle(pathname: string): string {
  const segment = lastSegment(pathname);
  return HEADER_TITLES[segment] ?? segment.replaceAll("-", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** The title of the document, such as `Dashboard · Nodebeat`. */
export function documentTitle(pathname: string): string {
  const title = DOCUMENT_TITLES[lastSegment(pathname)] ?? pageTitle(pathname);
  return title ? `${title} · ${brand.name}` : brand.name;
}

/** A number, such as the version of a document, names no page. */
function lastSegment(pathname: string): string {
  return pathname.split("/").findLast((segment) => /\D/.test(segment)) ?? "";
}
