import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { defineOutcome } from "../outcome/outcome.ts";

/** What became of a form: the box was not checked, or the acceptance could not be saved. */
export type LegalOutcome = "accepted" | "required" | "failed";

type Words = {
  name: string;
  /** Where the document itself is. */
  href: string;
  /** Where its form is sent. */
  action: string;
  /** What is asked of who has accepted an older version, and of who has accepted none. */
  text: { updated: string; first: string };
  outcomes: Record<LegalOutcome, string>;
};

/** What is said of each document (product specification, sections 2, 5 and 8). */
export const LEGAL: Record<LegalDocumentName, Words> = {
  tos: {
    name: "Terms of Service",
    href: "/terms",
    action: "/legal/terms",
    text: {
      updated: "We have updated our Terms of Service. Please read them and accept them to continue.",
      first: "Please read our Terms of Service and accept them to continue.",
    },
    outcomes: {
      accepted: "Terms of Service accepted successfully",
      required: "You must accept the Terms of Service to continue.",
      failed: "Failed to update TOS acceptance. Please try again.",
    },
  },
  pp: {
    name: "Privacy Policy",
    href: "/privacy",
    action: "/legal/privacy",
    text: {
      updated: "We have updated our Privacy Policy. Please read it and accept it, or close this for now.",
      first: "Please read our Privacy Policy and accept it, or close this for now.",
    },
    outcomes: {
      accepted: "Privacy Policy accepted successfully",
      required: "You must accept the Privacy Policy to continue.",
      failed: "Failed to update PP acceptance. Please try again.",
    },
  },
};

/** How the page that a form leads back to learns what became of it. */
export const LEGAL_NOTES = {
  tos: defineOutcome("note", "tos", LEGAL.tos.outcomes),
  pp: defineOutcome("note", "pp", LEGAL.pp.outcomes),
};
