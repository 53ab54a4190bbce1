import { hash } from "node:crypto";
import type { LegalDocument } from "./contract.ts";

/** One version of a document, as published. Its text never changes. */
export type LegalText = Pick<LegalDocument, "version" | "effectiveFrom" | "title" | "changes" | "sections">;

/** Converts a document to the plain text that its hash covers. */
function toPlainText({ title, version, effectiveFrom, sections }: LegalText): string {
  const parts = sections.map(({ title, text }, index) => {
    const blocks = text.map((block) =>
      typeof block === "string" ? block : block.map((item) => `- ${item}`).join("\n"),
    );
    return [`${index + 1}. ${title}`, ...blocks].join("\n\n");
  });
  return `${[`${title}, version ${version}`, `In force from ${effectiveFrom}`, ...parts].join("\n\n")}\n`;
}

/** Returns the SHA-256 of a version's text. */
export const hashText = (text: LegalText): Buffer => hash("sha256", toPlainText(text), "buffer");
