/** Shortens an address to its first six and last four characters (product specification, section 2). */
export function shortenAddress(address: string): string {
  return address.length > 10 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}
