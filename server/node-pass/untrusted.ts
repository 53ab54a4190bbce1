import { isAddressEqual, zeroAddress, type Address } from "viem";

/* Contracts and their issuers can say anything. Their words are cut to size here, and shown as text. */

/** Characters that are invisible and can reverse the direction of a line. */
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]+/gu;

/** Returns one line of at most `longest` characters, or null if the value is not a string or the line is empty. */
export function toLine(value: unknown, longest: number): string | null {
  if (typeof value !== "string") return null;
  // Cut it first, so that a megabyte of spaces costs nothing.
  const line = value
    .slice(0, longest * 4)
    .replaceAll(UNSEEN, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  const cut = characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
  return cut.toWellFormed() || null;
}

/** Converts a time in seconds to an ISO date. Returns null for zero, and for times beyond the calendar. */
export function toTime(seconds: bigint): string | null {
  return seconds > 0n && seconds < LAST_SECOND ? new Date(Number(seconds) * 1000).toISOString() : null;
}

/** The first second after the year 9999. */
const LAST_SECOND = 253_402_300_800n;

/** Returns null for the zero address, which contracts use for nobody. */
export const nullIfZeroAddress = (address: Address | null): Address | null =>
  address && !isAddressEqual(address, zeroAddress) ? address : null;

export const toQuantity = (value: bigint | null): string | null => value?.toString() ?? null;
