/**
 * What a wallet says, of itself or of what went wrong: as much of it as fits a line, without what turns the words
 * around it. Empty where it says nothing.
 */
export function toLine(said: unknown, longest: number): string {
  if (typeof said !== "string") return "";
  const line = said.replaceAll(/\p{Cf}/gu, "").replaceAll(/\p{Cc}+/gu, " ");
  return Array.from(line.trim()).slice(0, longest).join("").trimEnd();
}
