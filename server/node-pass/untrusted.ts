import { isAddressEqual, zeroAddress, type Address } from "viem";

/* What contracts and their issuers say is anybody's word: it is cut to size here, and shown as text. */

/** Characters that show nothing and can turn a line around. */
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]+/gu;

/** A line of text of at most so many characters; null for anything else, and for an empty one. */
export function toLine(value: unknown, longest: number): string | null {
  if (typeof value !== "string") return null;
  // Before anything else is done with it, so that a megabyte of spaces costs nothing.
  const line = value
    .slice(0, longest * 4)
    .replaceAll(UNSEEN, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  const cut = characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
  return cut.toWellFormed() || null;
}

/** A time in seconds as an ISO date; null for none, and for one beyond the calendar. */
export function toTime(seconds: bigint): string | null {
  return seconds > 0n && seconds < LAST_SECOND ? new Date(Number(seconds) * 1000).toISOString() : null;
}

/** Of the year 9999. */
const LAST_SECOND = 253_402_300_800n;

/** Null for nobody, as contracts say it. */
export const toSomebody = (address: Address | null): Address | null =>
  address && !isAddressEqual(address, zeroAddress) ? address : null;

export const toQuantity = (value: bigint | null): string | null => value?.toString() ?? null;
