/**
 * Returns what a wallet says about itself or an error, as far as it fits a line, and without characters that change the
 * direction of the text around it. Returns an empty string if it says nothing.
 */
export function toLine(said: unknown, longest: number): string {
  if (typeof said !== "string") return "";
  const line = said.replaceAll(/\p{Cf}/gu, "").replaceAll(/\p{Cc}+/gu, " ");
  return Array.from(line.trim()).slice(0, longest).join("").trimEnd();
}
