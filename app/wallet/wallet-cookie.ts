import { dropCookie, readCookie, writeCookie } from "../cookies/plain-cookie.ts";

const NAME = "wallet";
const YEAR = 365 * 24 * 60 * 60;

/**
 * The address that this browser's wallet was connected with last, so that the first byte can say that it is coming
 * back. It is no proof of anything: an address is public, and what counts is what the wallet signs.
 */
export function readWalletCookie(header: string): string | null {
  const value = readCookie(header, NAME);
  return value && /^0x[0-9a-fA-F]{40}$/.test(value) ? value : null;
}

/** Keeps the address, or forgets it. */
export const walletCookie = (address: string | null): string =>
  address ? writeCookie(NAME, address, { maxAge: YEAR }) : dropCookie(NAME);
