import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { defineOutcome } from "../outcome/outcome.ts";

/** The result of a form. "required": the box was not checked. "failed": the acceptance could not be saved. */
export type LegalOutcome = "accepted" | "required" | "failed";

type Words = {
  name: string;
  /** The address of the document. */
  href: string;
  /** The address that its form is sent to. */
  action: string;
  /** The text for members who have accepted an older version, and for those who have accepted none. */
  text: { updated: string; first: string };
  outcomes: Record<LegalOutcome, string>;
};

/** The words about each document (product specification, sections 2, 5 and 8). */
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

/** Tells the page that a form leads back to what the result was. */
export const LEGAL_NOTES = {
  tos: defineOutcome("note", "tos", LEGAL.tos.outcomes),
  pp: defineOutcome("note", "pp", LEGAL.pp.outcomes),
};
