import { expiredCookie, readCookie, serializeCookie } from "../cookies/plain-cookie.ts";

const NAME = "wallet";
const YEAR = 365 * 24 * 60 * 60;

/**
 * Returns the address that this browser's wallet was last connected with, so that the first byte can already say that
 * it is reconnecting. It proves nothing: an address is public, and only what the wallet signs counts.
 */
export function readWalletCookie(header: string): string | null {
  const value = readCookie(header, NAME);
  return value && /^0x[0-9a-fA-F]{40}$/.test(value) ? value : null;
}

/** Returns the cookie that keeps the address, or that removes it. */
export const walletCookie = (address: string | null): string =>
  address ? serializeCookie(NAME, address, { maxAge: YEAR }) : expiredCookie(NAME);
